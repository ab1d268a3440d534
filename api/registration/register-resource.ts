import { ServiceError, validationFailed } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { ResourceMetadata } from '../../core/resources/metadata.js';
import { checkUrl } from '../../runtime/outgoing/index.js';
import { isDatabaseUnavailable, isStatementError } from '../../storage/database/connection.js';
import { newSourceKey } from '../../storage/object-store/store-artifacts.js';
import type { NewResource } from '../../storage/resources/resources.js';
import type { ApiDeps } from '../deps.js';
import type { Reply } from '../route.js';
import type { ReceivedUpload } from '../uploads/receive-upload.js';

interface Described {
  readonly name: string;
  readonly type: string;
  readonly metadata?: ResourceMetadata;
}

/** Writes a resource and creates the reply. Calls `written` when only the commit is left. */
export type Register = (resource: NewResource, written?: () => void) => Promise<Reply>;

/** Returns a new object key for the file of a resource to register. It contains the resource's id. */
export function newUploadKey(): string {
  return newSourceKey(uuidv7());
}

const resourceIdIn = (key: string): string => key.split('/')[1] ?? '';

const isUpload = { path: '/source/kind', message: 'send a file as multipart/form-data' };

/**
 * Registers a resource whose source is a URL. Surrounding spaces are removed and others escaped; otherwise the URL is
 * stored as given, because clients compare it. Throws VALIDATION_FAILED, which names `path`, and URL_NOT_ALLOWED.
 */
export async function registerUrl(
  deps: ApiDeps,
  { name, type, metadata = {} }: Described,
  given: { readonly url: string; readonly path: string },
  register: Register,
): Promise<Reply> {
  const url = given.url.trim().replaceAll(' ', '%20');
  checkUrl(url, { allow: deps.config.urlAllow }, given.path);
  const unstored = { object_key: null, size_bytes: null, sha256: null, media_type: null };
  const id = uuidv7();
  return await register({ id, name, type, metadata, source_type: 'URL', source_uri: url, ...unstored });
}

/**
 * Registers a resource whose file is already in the object store. Removes the file if registration fails. Throws
 * VALIDATION_FAILED if there is no file.
 */
export async function registerUpload(
  deps: ApiDeps,
  { name, type, metadata = {} }: Described,
  upload: ReceivedUpload | null,
  register: Register,
): Promise<Reply> {
  if (upload === null) throw validationFailed(isUpload);
  if (upload.file === null)
    throw validationFailed({ path: '/file', message: 'is missing, or has no file name' });
  const { key, size_bytes, sha256, media_type } = upload.file;
  const id = resourceIdIn(key);
  const described = { id, name, type, metadata };
  const stored = { object_key: key, size_bytes, sha256, media_type };
  const progress = { isWritten: false };
  try {
    return await register({ ...described, source_type: 'UPLOAD', source_uri: null, ...stored }, () => {
      progress.isWritten = true;
    });
  } catch (error) {
    if (!progress.isWritten || isRefusal(error)) await upload.discard();
    else {
      const about = { err: error, resource_id: id, key };
      deps.log.warn(about, 'a file is kept: its resource may have been registered');
    }
    throw error;
  }
}

/**
 * Whether an error proves that nothing was committed. A connection lost during the commit proves nothing: the
 * database may still commit later. If it does not, the sweep over the object store removes the file.
 */
function isRefusal(error: unknown): boolean {
  return (error instanceof ServiceError || isStatementError(error)) && !isDatabaseUnavailable(error);
}
