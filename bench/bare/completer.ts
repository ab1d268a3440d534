// Receives the callbacks of the bare side: an HTTP server that completes the activity with the task token it receives.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';

const connection = await Connection.connect({ address: process.argv[2] ?? '' });
const { activity } = new Client({ connection });
const server = createServer((request, response) => {
  void (async () => {
    const result: unknown = JSON.parse(await text(request));
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    await activity.complete(Buffer.from(token, 'base64'), result);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  })().catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`completer at http://127.0.0.1:${(server.address() as AddressInfo).port}/ is ready`);
});
process.on('SIGTERM', () => {
  server.close(() => void connection.close());
  server.closeAllConnections();
});
