/** A Redis server, the primary that Sentinels name, or a Cluster. */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some nodes of the Cluster. The other nodes of a Cluster are found from these. */
  nodes: { host: string; port: number }[];
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  db: number;
  /** Name of the group of servers that the Sentinels watch. */
  master: string | undefined;
  /** Password of the Sentinels, which is separate from the password of the servers. */
  sentinelPassword: string | undefined;
}

const URL_FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d{0,3}))?(?:\?([^#]*))?$/;
const NODE = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i;
const PORTS = { server: 6_379, cluster: 6_379, sentinel: 26_379 };
const PARAMETERS: Record<RedisAddress['kind'], readonly string[]> = {
  server: [],
  cluster: [],
  sentinel: ['master', 'sentinel_password'],
};

/**
 * Reads `redis://host`, `redis+sentinel://host,host/0?master=name` or `redis+cluster://host,host`. With `rediss`
 * instead of `redis`, the connection uses TLS.
 *
 * @throws Error that names the fault without the address, which may contain a password
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, scheme, mode = 'server', user, hosts = '', db, query = ''] = URL_FORM.exec(url) ?? [];
  if (scheme === undefined)
    throw new Error(
      'must be like redis://host:6379, redis+sentinel://host,host?master=name or redis+cluster://host,host',
    );
  const kind = mode as RedisAddress['kind'];
  const nodes = hosts.split(',').map((text) => {
    const [, six, name, port] = NODE.exec(text) ?? [];
    const host = six ?? name;
    const number = Number(port ?? PORTS[kind]);
    if (host === undefined || number === 0 || number > 65_535) throw new Error('has an invalid host or port');
    return { host, port: number };
  });
  if (kind === 'server' && nodes.length > 1)
    throw new Error('has several hosts: use redis+sentinel:// or redis+cluster://');
  if (kind === 'cluster' && Number(db ?? 0) !== 0) throw new Error('has a database, which a Cluster does not have');
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!PARAMETERS[kind].includes(name)) throw new Error(`has the unknown parameter ${name}`);
  const master = parameters.get('master') ?? undefined;
  if (kind === 'sentinel' && !master) throw new Error('needs ?master= with the name that the Sentinels watch');
  const [username, ...password] = user?.split(':') ?? [];
  return {
    ...{ kind, nodes, tls: scheme === 'rediss', db: Number(db ?? 0), master },
    username: username ? decodeURIComponent(username) : undefined,
    password: password.length > 0 ? decodeURIComponent(password.join(':')) : undefined,
    sentinelPassword: parameters.get('sentinel_password') ?? undefined,
  };
}
