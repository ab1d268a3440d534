import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';

/** Faults of the file itself. Another attempt with the same bytes cannot succeed. */
export type FileFault =
  | 'EMPTY_FILE'
  | 'UNREADABLE_FILE'
  | 'ENCRYPTED_FILE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'ARCHIVE_TOO_LARGE'
  | 'OUTPUT_TOO_LARGE';

export function fileFault(
  code: FileFault,
  message: string,
  details?: Record<string, unknown>,
): PluginFailure {
  return new PluginFailure(code, message, { retryable: false, ...(details && { details }) });
}
