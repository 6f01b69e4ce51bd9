const BASH = `_shipscore() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
  done < <(shipscore complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _shipscore shipscore
`;

const ZSH = `#compdef shipscore
_shipscore() {
  local line
  local -a entries
  for line in "\${(@f)$(shipscore complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && entries+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#entries )); then _describe shipscore entries; else _files; fi
}
if [[ $funcstack[1] == _shipscore ]]; then _shipscore "$@"; else compdef _shipscore shipscore; fi
`;

const FISH = `function __shipscore_complete
  set -l words (commandline -opc)
  shipscore complete -- $words[2..] (commandline -ct) 2>/dev/null
end
complete -c shipscore -f -a '(__shipscore_complete)'
`;

const POWERSHELL = `Register-ArgumentCompleter -Native -CommandName shipscore -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '' }
  shipscore complete -- @words 2>$null | ForEach-Object {
    $value, $meaning = $_ -split "\`t", 2
    $text = if ($value -match '\\s') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    if (-not $meaning) { $meaning = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $meaning)
  }
}
`;

/** The script of each shell. It runs `shipscore complete` with the words typed so far. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;
export type Shell = keyof typeof SCRIPTS;
