import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The object being uploaded: `Key` in a bucket. */
export interface UploadTarget {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType?: string | undefined;
}

/**
 * Some servers take long to complete a multipart upload and send nothing in the meantime, so the client with the longer
 * timeout sends that request.
 */
export interface UploadClients {
  readonly brisk: S3Client;
  readonly patient: S3Client;
}

/** One object being uploaded, whole or in parts. Methods throw the server's errors. */
export class MultipartUpload {
  readonly #clients: UploadClients;
  readonly #target: UploadTarget;
  /** The upload's id, once the first part has requested it. */
  #begun: Promise<string> | undefined;
  readonly #sent: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];

  readonly #sha256: (() => string) | undefined;

  /** `sha256`: the hash of the whole object, in lower-case hex; only called if the object is sent in one request. */
  constructor(clients: UploadClients, target: UploadTarget, sha256?: () => string) {
    this.#clients = clients;
    this.#target = target;
    this.#sha256 = sha256;
  }

  /** Sends the whole object in one request. */
  async put(Body: Buffer): Promise<void> {
    const command = new PutObjectCommand({ ...this.#target, Body });
    if (this.#sha256) signWith(command, this.#sha256());
    await this.#clients.brisk.send(command);
  }

  /** Sends a part; several may be in flight at a time. Part numbers start at 1. */
  async sendPart(PartNumber: number, Body: Buffer): Promise<void> {
    const UploadId = await (this.#begun ??= this.#begin());
    const command = new UploadPartCommand({ ...this.#place, UploadId, PartNumber, Body });
    const { ETag } = await this.#clients.brisk.send(command);
    this.#sent.push({ PartNumber, ETag });
  }

  /** Completes the upload: creates the object from the parts. */
  async complete(): Promise<void> {
    const UploadId = await this.#begun;
    const Parts = this.#sent.toSorted((a, b) => a.PartNumber - b.PartNumber);
    await this.#clients.patient.send(
      new CompleteMultipartUploadCommand({ ...this.#place, UploadId, MultipartUpload: { Parts } }),
    );
  }

  /**
   * Aborts the upload once no part is in flight. If that fails, it is left as an abandoned upload. Never
   * rejects.
   */
  async withdraw(): Promise<void> {
    const UploadId = await this.#begun?.catch(() => undefined);
    if (UploadId === undefined) return;
    const command = new AbortMultipartUploadCommand({ ...this.#place, UploadId });
    await this.#clients.brisk.send(command).catch(() => undefined);
  }

  get #place(): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#target.Bucket, Key: this.#target.Key };
  }

  async #begin(): Promise<string> {
    const { UploadId } = await this.#clients.brisk.send(new CreateMultipartUploadCommand(this.#target));
    if (UploadId === undefined) throw new Error('The server gave the upload no id.');
    return UploadId;
  }
}

/** Signs a request with an already known hash of its body, so that the SDK does not compute it again. */
function signWith(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      (args.request as { readonly headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return await next(args);
    },
    { step: 'build', name: 'signWithKnownHash' },
  );
}
