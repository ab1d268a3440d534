import { Switch } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { apiBase } from '../../api/client.js';
import { useChangeResource } from '../../api/resources.js';
import { useSession } from '../../api/session.js';
import type { Resource } from '@knowledge-warehouse/client';
import { useRefusal } from '../../parts/actions/permission.js';
import { Card } from '../../parts/layout/card.js';
import { Copyable, Fact, Facts } from '../../parts/layout/facts.js';
import { formatBytes } from '../../parts/format.js';
import { MetadataFacts } from '../../parts/metadata/metadata-facts.js';
import { showProblem } from '../../parts/messages/notices.js';
import { Ago, Duration } from '../../parts/time.js';
import { originalKind } from './original/kinds.js';
import { hasThumbnail, ShowOriginal } from './original/show-original.js';
import classes from './resource-facts.module.css';

/** Facts about a resource other than its run. */
export function ResourceFacts({ resource }: { readonly resource: Resource }): ReactElement {
  const { data: session } = useSession();
  const { source_uri, size_bytes, sha256, started_at, finished_at, workflow_id } = resource;
  return (
    <Card heading="Details" className={classes.card}>
      {hasThumbnail(resource) && <ShowOriginal resource={resource} isThumbnail />}
      <Facts>
        <Fact name="Type">
          <bdi>{resource.type}</bdi>
        </Fact>
        <Fact name="Source">
          {source_uri === null ? (
            'Uploaded file'
          ) : (
            <a href={source_uri} target="_blank" rel="noopener noreferrer" className={classes.uri}>
              {source_uri}
            </a>
          )}
        </Fact>
        {resource.media_type !== null && <Fact name="Media type">{resource.media_type}</Fact>}
        {sha256 !== null && (
          <Fact name="Original">
            {originalKind(resource) !== null && (
              <>
                <ShowOriginal resource={resource} />,{' '}
              </>
            )}
            <a href={`${apiBase}/resources/${resource.id}/source`} download={resource.name}>
              Download
            </a>
          </Fact>
        )}
        {size_bytes !== null && (
          <Fact name="Size">
            <span title={`${size_bytes} bytes`}>{formatBytes(size_bytes)}</span>
          </Fact>
        )}
        <Fact name="Registered">
          <Ago at={resource.created_at} />
        </Fact>
        {started_at !== null && (
          <Fact name={finished_at === null ? 'Running for' : 'Newest run took'}>
            <Duration from={started_at} to={finished_at} />
          </Fact>
        )}
        <Fact name="Id">
          <Copyable text={resource.id} label="Copy the id" />
        </Fact>
        {sha256 !== null && (
          <Fact name="SHA-256">
            <Copyable text={sha256} label="Copy the SHA-256" />
          </Fact>
        )}
        {workflow_id !== null && session?.temporal_ui != null && (
          <Fact name="Workflow">
            <a
              href={`${session.temporal_ui}/workflows/${encodeURIComponent(workflow_id)}`}
              target="_blank"
              rel="noopener noreferrer"
              className={classes.out}
            >
              Open in Temporal <IconExternalLink size={14} aria-hidden />
            </a>
          </Fact>
        )}
      </Facts>
      {Object.keys(resource.metadata).length > 0 && (
        <>
          <h3 className={classes.metadata}>Metadata</h3>
          <MetadataFacts metadata={resource.metadata} label="Metadata of the resource" isVerbatim />
        </>
      )}
      <EnabledSwitch resource={resource} />
    </Card>
  );
}

/** Switches whether search and language models see the resource. */
function EnabledSwitch({ resource }: { readonly resource: Resource }): ReactElement {
  const change = useChangeResource(resource.id);
  const refusal = useRefusal('write');
  return (
    <Switch
      label="Visible to search and language models"
      description={refusal ?? undefined}
      size="sm"
      withThumbIndicator={false}
      checked={resource.is_enabled}
      disabled={refusal !== null || change.isPending}
      onChange={(event) =>
        change.mutate({ kind: 'enable', is_enabled: event.currentTarget.checked }, { onError: showProblem })
      }
    />
  );
}
