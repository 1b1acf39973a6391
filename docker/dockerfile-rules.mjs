// @ts-check
import { stagesOf } from './image.mjs';

/**
 * @typedef {object} DockerfileRule
 * @property {string} name the guarantee
 * @property {(dockerfile: string) => string[]} faults
 * @property {(dockerfile: string) => string} breaks the negative fixture
 */

/** @param {string} text @param {string} name @returns {string[]} */
const valuesOf = (text, name) =>
  stagesOf(text)
    .flat()
    .filter((instruction) => instruction.name === name)
    .map(({ value }) => value);
/** @param {string} text */
const lastStage = (text) => stagesOf(text).at(-1) ?? [];
/** @param {boolean} holds @param {string} fault */
const unless = (holds, fault) => (holds ? [] : [fault]);
/** @param {string} text @param {string} line */
const append = (text, line) => `${text.trimEnd()}\n${line}\n`;

/** @type {DockerfileRule[]} */
export const dockerfileRules = [
  {
    name: 'every base image has an exact tag, and the last stage is a small one',
    faults: (text) => {
      const version = /ARG NODE_VERSION=(\d+\.\d+\.\d+)\n/.exec(text)?.[1];
      const stages = new Set(valuesOf(text, 'FROM').map((value) => value.split(/ AS /i)[1]));
      const bases = valuesOf(text, 'FROM').map((value) => value.replace(/^--platform=\S+ /, '').split(' ')[0] ?? '');
      return [
        ...unless(version !== undefined, 'NODE_VERSION is not exact'),
        ...bases
          .filter((base) => !stages.has(base))
          .flatMap((base) => unless(/^node:(\$\{NODE_VERSION\}|\d+\.\d+\.\d+)-\w+/.test(base), `${base} is not exact`)),
        ...unless(bases.at(-1)?.endsWith('-slim') === true, 'the last stage is not small'),
      ];
    },
    breaks: (text) => text.replace('node:${NODE_VERSION}-bookworm-slim', 'node:latest'),
  },
  {
    name: 'there are several stages, and the last has what was built and runs no command',
    faults: (text) => [
      ...unless(stagesOf(text).length > 3, 'there is one stage'),
      ...lastStage(text)
        .filter(
          ({ name, value }) =>
            name === 'RUN' || name === 'ADD' || (name === 'COPY' && !value.startsWith('--from=build ')),
        )
        .map(({ name, value }) => `${name} ${value}`),
    ],
    breaks: (text) => text.replace('COPY --from=build /app ./', 'COPY . .'),
  },
  {
    name: 'it runs as a user by number that is not root, the last one named',
    faults: (text) => {
      const users = lastStage(text).filter(({ name }) => name === 'USER');
      return unless(users.length === 1 && /^[1-9]\d*:[1-9]\d*$/.test(users[0]?.value ?? ''), 'it may be root');
    },
    breaks: (text) => text.replace('USER 1000:1000', 'USER node'),
  },
  {
    name: 'ENTRYPOINT is a list, so that Node itself is process 1, and nothing else says what to run',
    faults: (text) => [
      ...unless(valuesOf(text, 'ENTRYPOINT').join() === '["node", "main.js"]', 'another program is process 1'),
      ...unless(valuesOf(text, 'CMD').length === 0, 'CMD says more'),
    ],
    breaks: (text) => text.replace('ENTRYPOINT ["node", "main.js"]', 'ENTRYPOINT npm start'),
  },
  {
    name: 'WORKDIR is absolute, and no command changes its folder',
    faults: (text) => [
      ...valuesOf(text, 'WORKDIR').filter((value) => !value.startsWith('/')),
      ...valuesOf(text, 'RUN').filter((value) => /(^|&& |; )cd /.test(value)),
    ],
    breaks: (text) => text.replace('WORKDIR /workspace', 'WORKDIR workspace'),
  },
  {
    name: 'packages are those of the lock file, and nothing is fetched beside them',
    faults: (text) => [
      ...unless(
        valuesOf(text, 'RUN').some((value) => value.endsWith('npm ci')),
        'no npm ci',
      ),
      ...valuesOf(text, 'RUN').filter((value) =>
        /npm (install|i|update)\b|npx|curl|wget|apt-get|\| *(ba)?sh/.test(value),
      ),
      ...valuesOf(text, 'ADD'),
    ],
    breaks: (text) => text.replace('npm ci', 'npm install'),
  },
  {
    name: 'nothing secret is an argument or a variable of it',
    faults: (text) =>
      [...valuesOf(text, 'ARG'), ...valuesOf(text, 'ENV')].filter((value) =>
        /KEY|TOKEN|SECRET|PASSWORD|_URL/.test(value),
      ),
    breaks: (text) => append(text, 'ENV DATABASE_URL=postgresql://postgres'),
  },
  {
    name: 'no command needs a shell that pipes, or root’s ways around rights',
    faults: (text) => valuesOf(text, 'RUN').filter((value) => /[^|]\|[^|]|\bsudo\b|chmod (-R )?777/.test(value)),
    breaks: (text) => text.replace('RUN find', 'RUN cat /etc/passwd | tee x && find'),
  },
  {
    name: 'Node runs in production mode',
    faults: (text) =>
      unless(
        lastStage(text).some(({ name, value }) => name === 'ENV' && value === 'NODE_ENV=production'),
        'it does not',
      ),
    breaks: (text) => text.replace('ENV NODE_ENV=production\n', ''),
  },
];
