import { createLogger } from './logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(
    createLogger({
      service: 'demo',
      level: 'info',
      version: '1.2.3',
      destination: { write: (line) => lines.push(line) },
    }),
  );
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('createLogger', () => {
  it('writes one JSON object a line, with service, version, level and time', () => {
    const [line] = logged((logger) => logger.warn({ answer: 42 }, 'hello'));
    expect(line).toMatchObject({ service: 'demo', version: '1.2.3', level: 'warn', answer: 42, msg: 'hello' });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('writes no line below its log level', () => {
    expect(logged((logger) => logger.debug('quiet'))).toEqual([]);
  });

  it.each(['authorization', 'cookie', 'api-key', 'client_secret', 'password', 'refresh_token'])(
    'does not write the value of %p, whether at the top level or in headers or a body',
    (name) => {
      const secret = 'hunter2';
      const lines = logged((logger) => {
        logger.info({ [name]: secret }, 'top');
        logger.info({ headers: { [name]: secret }, body: { [name]: secret } }, 'nested');
      });
      expect(JSON.stringify(lines)).not.toContain(secret);
      expect(lines).toHaveLength(2);
    },
  );
});
