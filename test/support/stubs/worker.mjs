// Replaces the worker in tests of the supervisor: warns once, with what a plugin may send, reports ready or what it waits for, and
// ends on request.
const end = () => setTimeout(() => process.exit(0), Number(process.env.STUB_WORKER_STOP_MS ?? 0));
process.on('SIGTERM', end).on('SIGINT', end).on('disconnect', end);
const line = {
  level: 'warn',
  time: new Date().toISOString(),
  msg: 'only a stub',
  err: { message: 'of\u001b]0;a plugin\u0007' },
  database: process.env.DATABASE_URL,
};
process.stdout.write(`${JSON.stringify(line)}\n`);
setInterval(() => undefined, 1000);
const server = process.env.STUB_WORKER_WAITS_FOR;
process.send(server ? { type: 'waiting', for: server } : { type: 'ready' });
