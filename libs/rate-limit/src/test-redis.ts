import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface TestRedis { url: string; port: number; pause(): void; resume(): void; stop(): Promise<void> }

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

export async function startRedis(port?: number): Promise<TestRedis> {
  const chosen = port ?? (await freePort());
  const child = spawn('redis-server', ['--port', String(chosen), '--save', '', '--bind', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve) => child.stdout.on('data', (d: Buffer) => { if (String(d).includes('Ready to accept')) resolve(); }));
  return {
    url: `redis://127.0.0.1:${chosen}`, port: chosen,
    pause: () => void child.kill('SIGSTOP'), resume: () => void child.kill('SIGCONT'),
    stop: async () => { if (child.exitCode !== null || child.signalCode !== null) return; child.kill('SIGKILL'); await once(child, 'exit'); },
  };
}
