import assert from 'node:assert/strict';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { explainDatabaseError, explainDatabaseRefusal } from '../../storage/database/explain.js';
import { explainBucketRefusal } from '../../storage/object-store/explain.js';

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

describe('an unreachable database', () => {
  it('is explained by one sentence with one full stop', () => {
    const error = Object.assign(new Error('The database stopped responding.'), { code: 'ETIMEDOUT' });
    assert.equal(
      (explainDatabaseError(error, 'postgres://db/kw') as Error).message,
      'PostgreSQL at db:5432 cannot be reached: The database stopped responding.',
    );
  });
});

describe('a refused bucket', () => {
  it('is explained by its region only if S3 allows its name', () => {
    const explained = (bucket: string, httpStatusCode = 400): string => {
      const error = Object.assign(new Error('UnknownError'), { $metadata: { httpStatusCode } });
      return explainBucketRefusal(error, { bucket, region: 'eu-west-1' }) ?? '';
    };
    // A redirect comes from a bucket that exists, maybe with a name from before these rules.
    assert.match(explained('Old_Name', 301), /in the region "eu-west-1"/);
    assert.match(explained('kw'), /^S3 does not allow the bucket name "kw" .*: correct KW_S3_BUCKET\.$/);
    assert.match(explained('warehouse'), /in the region "eu-west-1": correct KW_S3_REGION or KW_S3_ENDPOINT/);
  });
});
