import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { join } from 'node:path';
import { CONTROL_ADDRESS } from '../../k8s/cluster/network.mjs';
import type { Prepared } from './run.mjs';
import type { Cluster } from './cluster.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- objects of Kubernetes are read as they are */
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return -- objects of Kubernetes have no types here */

const PORT = 8443;
const GROUP = '/apis/metrics.k8s.io/v1beta1';

/**
 * Serves the API of metrics-server, from which autoscalers read the use of CPU. Its figures come from the kubelets.
 *
 * @returns a function that ends the server
 */
export async function startMetrics(cluster: Cluster, { folder, nodes }: Prepared): Promise<() => void> {
  const [key, cert] = [join(folder, 'metrics.key'), join(folder, 'metrics.crt')];
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=metrics -keyout ${key} -out ${cert}`;
  execFileSync('openssl', made.split(' '), { stdio: 'pipe' });
  const podsOf = async (namespace: string, selector: string) => {
    const summaries = await Promise.all(nodes.map(({ address }) => read(`https://${address}:10250/stats/summary`)));
    const chosen = JSON.parse(
      await cluster.kubectl(['-n', namespace, 'get', 'pods', '-l', selector, '-o', 'json']),
    ) as { items: any[] };
    const figures = summaries.flatMap((summary: any) => summary.pods as any[]);
    return chosen.items.flatMap(({ metadata }) => {
      const pod = figures.find(({ podRef }) => podRef.uid === metadata.uid);
      const known = (pod?.containers ?? []).filter(({ cpu }: any) => cpu?.usageNanoCores !== undefined);
      if (known.length === 0) return [];
      const containers = known.map(({ name, cpu, memory }: any) => ({
        name,
        usage: { cpu: `${cpu.usageNanoCores}n`, memory: String(memory.workingSetBytes) },
      }));
      const { name, labels } = metadata;
      return [{ metadata: { name, namespace, labels }, timestamp: known[0].cpu.time, window: '20s', containers }];
    });
  };
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'https://metrics');
    const [, namespace] = /namespaces\/([^/]+)\/pods$/.exec(pathname) ?? [];
    const answer = async () => {
      if (pathname === GROUP)
        return {
          kind: 'APIResourceList',
          apiVersion: 'v1',
          groupVersion: 'metrics.k8s.io/v1beta1',
          resources: [{ name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] }],
        };
      if (namespace === undefined) return undefined;
      const items = await podsOf(namespace, searchParams.get('labelSelector') ?? '');
      return { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
    };
    answer().then(
      (body) => {
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body ?? {}));
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(PORT, CONTROL_ADDRESS, resolve));
  const metadata = { name: 'metrics', namespace: 'kube-system' };
  const objects = [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 443, targetPort: PORT }] } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'metrics' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [CONTROL_ADDRESS], conditions: { ready: true } }],
      ports: [{ port: PORT, protocol: 'TCP', name: '' }],
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        service: { name: 'metrics', namespace: 'kube-system' },
        ...{ group: 'metrics.k8s.io', version: 'v1beta1', insecureSkipTLSVerify: true },
        ...{ groupPriorityMinimum: 100, versionPriority: 100 },
      },
    },
  ];
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return () => {
    server.closeAllConnections();
    server.close();
  };
}

/** Reads a URL of a kubelet, whose certificate is self-signed. */
function read(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { rejectUnauthorized: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end();
  });
}
