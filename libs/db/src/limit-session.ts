/**
 * Settings of each connection, in milliseconds and seconds. A machine that loses power or network closes none of its connections.
 * With these settings the server ends an open transaction that is silent for longer than any transaction may take, and detects the
 * lost connection itself, which by its defaults takes two hours.
 */
const SETTINGS = {
  idle_in_transaction_session_timeout: 10_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 15_000,
};

/**
 * The database's URL with the settings under which the server releases everything that a lost client holds. Options of the URL are
 * kept.
 */
export function limitSession(url: string): string {
  const limited = new URL(url);
  const given = limited.searchParams.get('options') ?? '';
  const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  limited.searchParams.set('options', [given, ...settings].join(' ').trim());
  return limited.href;
}
