const OTHER_CLIENTS = `Cursor, .cursor/mcp.json:

  {
    "mcpServers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${env:SHIPSCORE_TOKEN}"
        }
      }
    }
  }

VS Code, .vscode/mcp.json:

  {
    "inputs": [
      {
        "type": "promptString",
        "id": "shipscore-token",
        "description": "shipscore token",
        "password": true
      }
    ],
    "servers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${input:shipscore-token}"
        }
      }
    }
  }

Codex, ~/.codex/config.toml:

  [mcp_servers.shipscore]
  command = "shipscore"
  args = ["mcp"]
  env = { SHIPSCORE_URL = "https://shipscore.example.com" }
  env_vars = ["SHIPSCORE_TOKEN"]

`;

/** How clients are set up; of most only with `isWhole`. */
export const describeMcp = (isWhole: boolean) => `
Speaks MCP on stdin and stdout with an assistant that starts commands, and
passes each message to /mcp of the server, which needs the plan Team. The token
is read from SHIPSCORE_TOKEN alone: hand it over from the environment or from
the client's secret input, as here, and no file holds it.

Claude Code, .mcp.json:

  {
    "mcpServers": {
      "shipscore": {
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${SHIPSCORE_TOKEN}"
        }
      }
    }
  }

${isWhole ? OTHER_CLIENTS : "Cursor, VS Code and Codex are in --help-all.\n\n"}Any other client: the command 'shipscore mcp' with SHIPSCORE_URL and
SHIPSCORE_TOKEN in its environment.

These clients can also call https://shipscore.example.com/mcp themselves, with
the token in a header: docs/mcp.md in the package shows how, and what each tool
does. A call that fails is answered as an error, and explained in a line on
stderr, which most clients keep in a log.
`;
