import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { messageOf, ServiceError } from '../../../core/errors.js';
import type { Config, S3Config } from '../../../runtime/settings/config.js';
import { explainBucketRefusal, innermost } from '../../../storage/object-store/explain.js';
import { connectDatabase, isSchemaMissing } from '../../../storage/database/connection.js';
import { createObjectStore, type ObjectStore } from '../../../storage/object-store/index.js';
import { compareOwner, ownerKey, readOwner, type Mismatch } from '../../../storage/object-store/owner.js';
import { readS3Clock } from '../../../storage/object-store/s3/clock.js';
import { tryObjectStore } from '../../../storage/object-store/trial.js';
import { compareClock, unreadClock } from './clock.js';
import { about, type Finding } from './finding.js';

const store = about('object store');
const disk = about('disk');

const enoughBytes = 5 * 1024 ** 3;
const enoughShare = 0.1;

/** Checks whether objects can be written, read, listed and removed, and whether disks have free space. */
export async function checkObjectStore(config: Config): Promise<Finding[]> {
  const { s3, objectDirectory } = config;
  const name = s3 === null ? `The folder ${objectDirectory}` : `The bucket ${s3.bucket}`;
  const folders = s3 === null ? [objectDirectory, tmpdir()] : [tmpdir()];
  const access = await checkAccess(config, name);
  const clocks = s3 === null || access.status === 'fail' ? [] : [await checkClock(s3)];
  return [access, ...clocks, ...(await Promise.all(folders.map(checkRoom)))];
}

async function checkAccess({ s3, objectDirectory, databaseUrl }: Config, name: string): Promise<Finding> {
  const remedy =
    s3 === null
      ? 'Make the user of API and worker the owner of the folder, and let both use the same folder.'
      : 'Correct KW_S3_*, and give the key GetObject, PutObject, DeleteObject, ListBucket, AbortMultipartUpload and ListBucketMultipartUploads on the bucket. For a private certificate authority set KW_S3_CA_CERT_PATH.';
  const fail = (what: string, error: unknown): Finding => {
    const refusal = s3 === null ? null : explainBucketRefusal(error, s3);
    const reason = messageOf(innermost(error)).replace(/\.$/, '');
    return store.fail(refusal ?? `${name} cannot ${what}: ${reason}.`, remedy);
  };
  const objects = createObjectStore({ s3, directory: objectDirectory });
  try {
    const owner = await ownerOf(objects, databaseUrl);
    if (owner instanceof Error) return fail('be reached', owner);
    if (owner === 'new') await objects.create().catch(() => undefined);
    else if (owner !== null && owner !== 'ours')
      return store.fail(`${name}: ${owner.message} ${owner.reason}`, owner.remedy);
    const failure = await tryObjectStore(objects);
    if (failure === null) return store.ok(`${name}: objects can be written, read, listed and removed.`);
    return fail(failure.what, failure.error);
  } finally {
    objects.close();
  }
}

/** Null if the database cannot tell; an error if the store cannot be read. */
async function ownerOf(
  objects: ObjectStore,
  databaseUrl: string,
): Promise<'ours' | 'new' | Mismatch | ServiceError | null> {
  if (databaseUrl === '') return null;
  const db = connectDatabase(databaseUrl, { poolSize: 1 });
  try {
    return await compareOwner(db, objects);
  } catch (error) {
    if (isSchemaMissing(error)) return await ownerWithoutSchema(objects);
    return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE' ? error : null;
  } finally {
    await db.destroy();
  }
}

/** A store with an owner is not the one of a database that has never been migrated. */
async function ownerWithoutSchema(objects: ObjectStore): Promise<'new' | Mismatch> {
  const owner = await readOwner(objects).catch(() => null);
  if (owner === null) return 'new';
  return {
    message: 'The object store belongs to another installation.',
    reason: `Its ${ownerKey} is ${owner}, but the database has no tables.`,
    remedy:
      'Correct DATABASE_URL, KW_OBJECT_DIR or KW_S3_BUCKET, use an empty folder or bucket, or restore the database of the store.',
  };
}

async function checkClock(s3: S3Config): Promise<Finding> {
  const owner = 'the object store';
  const from = Date.now();
  try {
    const time = await readS3Clock(s3);
    if (time === null || Number.isNaN(time.getTime()))
      return unreadClock(owner, 'its responses have no Date header');
    // The header has a resolution of one second, rounded down.
    return compareClock(owner, { time: time.getTime(), from: from - 1_000, to: Date.now() });
  } catch (error) {
    return unreadClock(owner, messageOf(error).replace(/\.$/, ''));
  }
}

async function checkRoom(folder: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const room = `${(free / 1024 ** 3).toFixed(1)} GiB of ${((blocks * bsize) / 1024 ** 3).toFixed(1)} GiB free in ${folder}`;
    return free < enoughBytes && bavail < enoughShare * blocks
      ? disk.warn(`${room}.`, 'Free some space: uploads are refused and attempts fail once the disk is full.')
      : disk.ok(`${room}.`);
  } catch (error) {
    return disk.warn(
      `${folder}: ${messageOf(error)}.`,
      'Create the folder, or correct KW_OBJECT_DIR or TMPDIR.',
    );
  }
}
