import multer from 'multer';
import { messageOf, ServiceError, validationFailed } from '../../core/errors.js';

/** What is wrong with the field that a MulterError is about; other codes mean that the body as a whole is wrong. */
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
  LIMIT_FIELD_KEY: 'has a field with too long a name',
  LIMIT_FILE_COUNT: 'has more than one file',
  MISSING_FIELD_NAME: 'has a part without a name',
};

/** The JSON Pointer (RFC 6901) of a field. */
export function pointerTo(field: string): string {
  return `/${field.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

/**
 * What a client is told about an error of the multipart parser. MulterErrors are limits and become VALIDATION_FAILED;
 * everything else that the parser or the request fails with is a broken or incomplete body, MALFORMED_BODY.
 * ServiceErrors stay as they are.
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
