import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { blockEventLoop } from '@millwright/testing';
import { startDeadline } from './deadline.js';

const over = (milliseconds: number) =>
  new Promise<'over'>((resolve) => startDeadline(milliseconds, () => resolve('over')));

describe('a deadline', () => {
  it.each([30, 250])('fires after %i ms', async (milliseconds) => {
    const began = performance.now();
    await over(milliseconds);
    expect(performance.now() - began).toBeGreaterThanOrEqual(milliseconds - 5);
  });

  it('counts almost none of the time in which the event loop is blocked', async () => {
    const began = performance.now();
    const deadline = over(500);
    blockEventLoop(1_000);
    await deadline;
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_350);
  });

  it('fires only after the events that arrived while the event loop was blocked have been handled', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [service] = (await once(server, 'connection')) as [Socket];
    const order: string[] = [];
    const answer = once(socket, 'data').then(() => order.push('answer'));
    service.write('x');
    const deadline = over(90).then((end) => order.push(end));
    blockEventLoop(300);
    await Promise.all([answer, deadline]);
    expect(order).toEqual(['answer', 'over']);
    socket.destroy();
    server.close();
  });

  it('never fires after its cancellation', async () => {
    let isOver = false;
    const callOff = startDeadline(50, () => (isOver = true));
    callOff();
    await over(150);
    expect(isOver).toBe(false);
  });
});
