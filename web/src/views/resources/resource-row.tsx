import { Checkbox } from '@mantine/core';
import { IconEyeOff, IconFile, IconRouteOff, IconWorld } from '@tabler/icons-react';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { ListedResource } from '@knowledge-warehouse/client';
import { formatBytes } from '../../parts/format.js';
import { ResourceMenu } from '../../parts/resource-actions/resource-menu.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { Ago } from '../../parts/time.js';
import type { Selection } from './selection.js';
import { StepMarks } from './step-marks.js';
import { useWaiting } from './waiting.js';
import classes from './resource-table.module.css';

/** One resource. A row rerenders only when its resource changes, so that typing and events stay cheap. */
export const ResourceRow = memo(function ResourceRow({
  resource,
  isSelected,
  onToggle,
}: {
  readonly resource: ListedResource;
  readonly isSelected: boolean;
  readonly onToggle: Selection['toggle'];
}): ReactElement {
  const { id, name, type, source_type, source_uri, size_bytes, is_enabled, no_matching_pipeline } = resource;
  const SourceIcon = source_type === 'URL' ? IconWorld : IconFile;
  return (
    <tr role="row" className={classes.row} aria-selected={isSelected}>
      <td role="cell" className={classes.select}>
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onToggle(id, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </td>
      <td role="cell" className={classes.name}>
        <SourceIcon
          size={18}
          stroke={1.6}
          className={classes.source}
          aria-label={source_type === 'URL' ? 'URL' : 'File'}
        />
        <div className={classes.what}>
          <Link href={`/resources/${id}`} className={classes.link ?? ''} dir="auto">
            {name}
          </Link>
          <span className={classes.facts}>
            <span>{type}</span>
            {source_uri !== null && <span className={classes.uri}>{hostOf(source_uri)}</span>}
            {size_bytes !== null && <span className="tabular">{formatBytes(size_bytes)}</span>}
            {!is_enabled && (
              <span className={classes.flag} title="Not shown to language models">
                <IconEyeOff size={13} aria-hidden /> disabled
              </span>
            )}
            {no_matching_pipeline && (
              <span className={classes.flag} title={`No pipeline has the trigger type “${type}”`}>
                <IconRouteOff size={13} aria-hidden /> no pipeline
              </span>
            )}
          </span>
        </div>
      </td>
      <td role="cell" className={classes.status}>
        <StatusBadge status={resource.status} isWaiting={useWaiting(resource) !== null} />
      </td>
      <td role="cell" className={classes.steps}>
        <StepMarks resource={resource} />
      </td>
      <td role="cell" className={classes.changed}>
        <Ago at={resource.updated_at} />
      </td>
      <td role="cell" className={classes.actions}>
        <ResourceMenu resource={resource} />
      </td>
    </tr>
  );
});

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}
