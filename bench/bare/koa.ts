// The comparison for reading a resource: Koa, pg and one query for one row.
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 10 });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query<object>('select * from resources where id = $1', [ctx.path.slice(1)]);
  ctx.body = rows[0];
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`bare Koa at http://127.0.0.1:${(server.address() as AddressInfo).port}/ is ready`);
});
process.on('SIGTERM', () => {
  server.close(() => void pool.end());
  server.closeAllConnections();
});
