// @ts-check
import { stagesOf } from './image.mjs';

/**
 * @typedef {object} DockerfileRule
 * @property {string} name what the rule guarantees
 * @property {(dockerfile: string) => string[]} faults a text for each violation
 * @property {(dockerfile: string) => string} breaks returns a Dockerfile that violates the rule, for the test of `faults`
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
    name: 'every base image is a slim image with an exact version and a digest',
    faults: (text) => {
      const image = /ARG NODE_IMAGE=(\S+)\n/.exec(text)?.[1] ?? '';
      const stages = new Set(valuesOf(text, 'FROM').map((value) => value.split(/ AS /i)[1]));
      const bases = valuesOf(text, 'FROM').map((value) => value.replace(/^--platform=\S+ /, '').split(' ')[0] ?? '');
      return [
        ...unless(/^node:\d+\.\d+\.\d+-\w+-slim@sha256:[0-9a-f]{64}$/.test(image), 'NODE_IMAGE is not exact'),
        ...bases
          .filter((base) => !stages.has(base))
          .flatMap((base) => unless(base === '${NODE_IMAGE}', `${base} is not NODE_IMAGE`)),
      ];
    },
    breaks: (text) => text.replace(/@sha256:[0-9a-f]+/, ''),
  },
  {
    name: 'the last of several stages only copies the build and runs no command',
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
    name: 'the last USER is numeric and not root',
    faults: (text) => {
      const users = lastStage(text).filter(({ name }) => name === 'USER');
      return unless(users.length === 1 && /^[1-9]\d*:[1-9]\d*$/.test(users[0]?.value ?? ''), 'it may be root');
    },
    breaks: (text) => text.replace('USER 1000:1000', 'USER node'),
  },
  {
    name: 'ENTRYPOINT is a list, so that Node is process 1, and there is no CMD',
    faults: (text) => [
      ...unless(valuesOf(text, 'ENTRYPOINT').join() === '["node", "main.js"]', 'another program is process 1'),
      ...unless(valuesOf(text, 'CMD').length === 0, 'there is a CMD'),
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
    name: 'packages come from the lock file, without other downloads',
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
    name: 'no argument or variable is a secret',
    faults: (text) =>
      [...valuesOf(text, 'ARG'), ...valuesOf(text, 'ENV')].filter((value) =>
        /KEY|TOKEN|SECRET|PASSWORD|_URL/.test(value),
      ),
    breaks: (text) => append(text, 'ENV DATABASE_URL=postgresql://postgres'),
  },
  {
    name: 'no command uses a pipe or changes rights as root',
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
