import assert from 'node:assert/strict';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { explainDatabaseRefusal } from '../../storage/database/explain.js';

describe('a refused database', () => {
  it('with a certificate for another host is explained by that, not by its authority', () => {
    const certificate = { subject: { CN: 'db' }, subjectaltname: 'DNS:db' } as PeerCertificate;
    const error = checkServerIdentity('db.example.com', certificate);
    assert.match(
      explainDatabaseRefusal(error, 'postgres://db.example.com/kw') ?? '',
      /^The certificate of PostgreSQL at db\.example\.com:5432 is for another host \(.*\): correct the host/,
    );
  });

  it('behind a PgBouncer that refuses the time limits names its setting', () => {
    const error = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
      code: '08P01',
    });
    assert.match(
      explainDatabaseRefusal(error, 'postgres://pooler:6432/kw') ?? '',
      /^The pooler at pooler:6432 .*statement_timeout.* set ignore_startup_parameters = statement_timeout,idle_in/,
    );
  });
});
