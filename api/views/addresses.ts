import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import type { Config } from '../../runtime/settings/config.js';

/** Returns the addresses of the service's parts, for admins. Omits other parts of URLs, which may be secret. */
export function viewAddresses(config: Config): Readonly<Record<string, string | null>> {
  const { temporal, s3 } = config;
  return {
    public_url: config.publicUrl,
    database: withoutCredentials(config.databaseUrl),
    temporal: temporal.address,
    temporal_namespace: temporal.namespace,
    temporal_ui: temporal.uiUrl,
    object_store: s3 === null ? config.objectDirectory : bucketOf(s3),
    search_index: config.searchUri,
    data_dir: config.dataDir,
  };
}

function withoutCredentials(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === null) return '(not a URL)';
  const { host, pathname, searchParams } = parsed;
  return `${host || (searchParams.get('host') ?? 'local')}${pathname}`;
}

function bucketOf({ endpoint, region, bucket }: NonNullable<Config['s3']>): string {
  return `${endpoint === undefined ? `AWS S3 in ${region}` : withoutCredentials(endpoint)}: ${bucket}`;
}
