import { Argument, type Command } from 'commander';
import type { RunBuilder } from './builder.js';

const SHELLS = ['bash', 'zsh', 'fish'];

/** Lists the words that may follow each word of a command line: subcommands and options. */
export function wordsOf(program: Command, path = ''): Map<string, readonly string[]> {
  const visible = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  const options = program
    .createHelp()
    .visibleOptions(program)
    .flatMap(({ long }) => (long ? [long] : []));
  const choices = program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = new Map([[path, [...visible, ...choices, ...options]]]);
  for (const command of program.commands)
    for (const [key, value] of wordsOf(command, `${path} ${command.name()}`.trim())) words.set(key, [...value]);
  return words;
}

export function completionCommand(program: Command, run: RunBuilder): void {
  program
    .command('completion')
    .description('Print the completion of a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(
      run(async ({ terminal }, _options, shell) => {
        const { createOperatorProgram } = await import('../operator-program.js');
        const words = new Map([...wordsOf(program), ...wordsOf(createOperatorProgram(terminal), 'admin')]);
        terminal.output.write(shell === 'fish' ? fish(words) : bash(words, shell === 'zsh'));
        return undefined;
      }),
    );
}

/** Returns the completion script for bash or zsh. The script suggests words by the longest path of subcommands before the cursor. */
function bash(words: ReadonlyMap<string, readonly string[]>, isZsh: boolean): string {
  const cases = [...words].map(([path, list]) => `    ${JSON.stringify(path)}) words="${list.join(' ')}" ;;`);
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_millwright() {
  local path="" word words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -* ]] && continue
    case "\${path:+$path }$word" in
      ${[...words.keys()]
        .filter(Boolean)
        .map((path) => JSON.stringify(path))
        .join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _millwright millwright
`;
}

function fish(words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...words].flatMap(([path, list]) =>
    list.map((word) => {
      const condition = path === '' ? '__fish_use_subcommand' : `__millwright_at ${path}`;
      return word.startsWith('--')
        ? `complete -c millwright -n '${condition}' -l ${word.slice(2)}`
        : `complete -c millwright -f -n '${condition}' -a ${word}`;
    }),
  );
  return `function __millwright_at
  set -l words (commandline -opc | string match -v -- '-*')
  test "$words[2..-1]" = "$argv"
end
${lines.join('\n')}
`;
}
