import multer from 'multer';
import { messageOf, ServiceError, validationFailed } from '../../core/errors.js';
import { pointerSegment } from '../../core/json/json-pointer.js';

/** Messages for MulterErrors about a field. Other codes mean that the whole body is wrong. */
const aboutField: Readonly<Record<string, string>> = {
  LIMIT_FIELD_VALUE: 'is too long',
  LIMIT_FIELD_NESTING: 'is not a field of an upload',
  LIMIT_FIELD_ARRAY_INDEX: 'is not a field of an upload',
  INVALID_FIELD_NAME: 'is not a field of an upload',
  LIMIT_UNEXPECTED_FILE: 'is not a field of an upload',
};

const aboutBody: Readonly<Record<string, string>> = {
  LIMIT_PART_COUNT: 'has too many parts',
  LIMIT_FIELD_COUNT: 'has too many fields',
  LIMIT_FIELD_KEY: 'has a field name that is too long',
  LIMIT_FILE_COUNT: 'has more than one file',
  MISSING_FIELD_NAME: 'has a part without a name',
};

/** Returns the JSON Pointer (RFC 6901) of a field. */
export function pointerTo(field: string): string {
  return `/${pointerSegment(field)}`;
}

/**
 * Converts an error of the multipart parser to one for the client. MulterErrors are exceeded limits and become
 * VALIDATION_FAILED; other errors of the parser or the request mean a broken or incomplete body, MALFORMED_BODY.
 * ServiceErrors are returned unchanged.
 */
export function uploadErrorToServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof multer.MulterError) {
    const { field, code } = error;
    const finding = aboutField[code];
    if (field !== undefined && finding !== undefined)
      return validationFailed({ path: pointerTo(field), message: finding });
    return validationFailed({ path: '', message: aboutBody[code] ?? 'is not a valid upload' });
  }
  return new ServiceError(
    'MALFORMED_BODY',
    `The upload is not valid multipart/form-data: ${messageOf(error)}.`,
    {},
    { cause: error },
  );
}
