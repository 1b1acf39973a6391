/**
 * Settings of each connection, in milliseconds and seconds. A machine that loses power or network does not close its connections. With
 * these settings, the server ends a transaction that is idle for longer than any transaction may take, and soon detects the lost
 * connection. With the default settings of the server, the detection takes two hours.
 */
const SETTINGS = {
  idle_in_transaction_session_timeout: 10_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 15_000,
};

/**
 * Adds the settings to the URL of the database, so that the server releases everything that a lost client holds.
 * Options that the URL already has are kept and override the settings.
 */
export function limitSession(url: string): string {
  const limited = new URL(url);
  const given = limited.searchParams.get('options') ?? '';
  const settings = Object.entries(SETTINGS)
    .filter(([name]) => !given.includes(`${name}=`))
    .map(([name, value]) => `-c ${name}=${value}`);
  limited.searchParams.set('options', [given, ...settings].join(' ').trim());
  return limited.href;
}
