/*
 * Each script runs `shipscore complete` with the words typed so far. It gets a row for each word that can come next: the word
 * and its meaning. A third cell, `file`, means that the shell completes a file name after the word.
 */

const BASH = `_shipscore() {
  local i line value word
  local last=\${COMP_WORDS[COMP_CWORD]}
  local -a words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word =~ ^[=:]+$ || \${COMP_WORDS[i - 1]} =~ ^[=:]+$ ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ $last =~ ^[=:]+$ ]] && last=
  local start=\${words[\${#words[@]} - 1]%"$last"}
  COMPREPLY=()
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    if [[ $line == *$'\\t\\tfile' ]]; then
      compopt -o default 2>/dev/null && continue
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$last")
      continue
    fi
    [[ $value == *= ]] && compopt -o nospace 2>/dev/null
    value=$(printf %q "\${value#"$start"}")
    COMPREPLY+=("\${value//\\\\,/,}")
  done < <(shipscore complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _shipscore shipscore
`;

const ZSH = `#compdef shipscore
_shipscore() {
  local line value
  local -a entries open
  for line in "\${(@f)$(shipscore complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    if [[ $line == *$'\\t\\tfile' ]]; then
      compset -p $#value
      _files
      return
    fi
    line=\${value//:/\\\\:}:\${line#*$'\\t'}
    if [[ $value == *= ]]; then open+=("$line"); elif [[ -n $value ]]; then entries+=("$line"); fi
  done
  _describe shipscore entries -- open -S ''
}
if [[ $funcstack[1] == _shipscore ]]; then _shipscore "$@"; else compdef _shipscore shipscore; fi
`;

const FISH = `function __shipscore_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in (shipscore complete -- $words[2..] $word 2>/dev/null)
    set -l cells (string split \\t -- $line)
    if test "$cells[3]" = file
      set -l typed (string sub -s (math 1 + (string length -- $cells[1])) -- $word)
      for path in (__fish_complete_path $typed)
        echo -- $cells[1]$path
      end
    else
      echo -- $line
    end
  end
end
complete -c shipscore -f -a '(__shipscore_complete)'
`;

const POWERSHELL = `Register-ArgumentCompleter -Native -CommandName shipscore -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  # Older versions drop an empty word unless it is in quotes.
  $empty = if ($PSNativeCommandArgumentPassing -in $null, 'Legacy') { '""' } else { '' }
  if ($word -eq '') { $words += $empty }
  # For a list such as a,b the word is only the last item.
  $typed = if ($word -eq '') { '' } else { $words[-1] }
  $start = if ($typed.EndsWith($word)) { $typed.Substring(0, $typed.Length - $word.Length) } else { '' }
  shipscore complete -- @words 2>$null | ForEach-Object {
    $value, $meaning, $kind = $_ -split "\`t", 3
    if ($kind -eq 'file') {
      $path = $typed.Substring([Math]::Min($value.Length, $typed.Length))
      $value = $value.Substring([Math]::Min($start.Length, $value.Length))
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($value + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
      return
    }
    if ($value.StartsWith($start)) { $value = $value.Substring($start.Length) }
    $text = if ($value -match '\\s') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    if (-not $meaning) { $meaning = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $meaning)
  }
}
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;
export type Shell = keyof typeof SCRIPTS;
