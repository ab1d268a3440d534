// Replaces the API in tests of the supervisor: listens, reports ready, ends on request.
import { createServer } from 'node:http';

if (process.env.STUB_API_FAILS) {
  process.stdout.write(`${JSON.stringify({ level: 'fatal', msg: process.env.STUB_API_FAILS })}\n`);
  process.exit(1);
}
const server = createServer((_request, response) => response.end(`${process.pid}`));
const end = () => server.close(() => process.exit(0));
process.on('SIGTERM', end).on('SIGINT', end).on('disconnect', end);
server.listen(Number(process.env.PORT), process.env.HOST, () => process.send({ type: 'ready' }));
