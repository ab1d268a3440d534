import { IconEyeOff, IconFile, IconRouteOff, IconWorld } from '@tabler/icons-react';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { ListedResource, Step } from '@knowledge-warehouse/client';
import { formatBytes, formatTime } from '../../parts/format.js';
import { ResourceMenu } from '../../parts/resource-actions/resource-menu.js';
import { StatusBadge } from '../../parts/status/status-badge.js';
import { SelectBox } from './select-box.js';
import type { Selection } from './selection.js';
import { StepMarks } from './step-marks.js';
import classes from './resource-table.module.css';

interface ResourceRowProps extends CellsProps {
  readonly isSelected: boolean;
  readonly onToggle: Selection['toggle'];
  /** The position in a list of which only the visible part is rendered. */
  readonly index?: number;
  readonly measure?: (row: HTMLTableRowElement | null) => void;
}

/** One resource. A row rerenders only when what it shows changes, so that typing, selecting and events stay cheap. */
export const ResourceRow = memo(function ResourceRow(props: ResourceRowProps): ReactElement {
  const { resource, changed, waiting, isSelected, onToggle, index, measure } = props;
  return (
    <tr
      role="row"
      className={classes.row}
      aria-selected={isSelected}
      ref={measure}
      data-index={index}
      // The header is the first row.
      aria-rowindex={index === undefined ? undefined : index + 2}
    >
      <td role="cell" className={classes.select}>
        <SelectBox
          label={`Select ${resource.name}`}
          isChecked={isSelected}
          onChange={(isRange) => onToggle(resource.id, isRange)}
        />
      </td>
      <Cells resource={resource} changed={changed} waiting={waiting} />
    </tr>
  );
});

interface CellsProps {
  readonly resource: ListedResource;
  /** How long ago it changed. */
  readonly changed: string;
  /** The long wait to explain; null: none. */
  readonly waiting: Step['waiting_for'];
}

const Cells = memo(function Cells({ resource, changed, waiting }: CellsProps): ReactElement {
  const { id, name, type, source_type, source_uri, size_bytes, is_enabled, no_matching_pipeline } = resource;
  const { status, updated_at } = resource;
  const SourceIcon = source_type === 'URL' ? IconWorld : IconFile;
  return (
    <>
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
            <span className={classes.type}>{type}</span>
            {source_uri !== null && <span className={classes.uri}>{hostOf(source_uri)}</span>}
            {size_bytes !== null && <span className="tabular">{formatBytes(size_bytes)}</span>}
            {!is_enabled && (
              <span className={classes.flag} title="Hidden from search and language models">
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
        <StatusBadge status={status} isWaiting={waiting !== null} />
      </td>
      <td role="cell" className={classes.steps}>
        <StepMarks resource={resource} waiting={waiting} />
      </td>
      <td role="cell" className={classes.changed}>
        <time dateTime={updated_at} title={formatTime(new Date(updated_at))}>
          {changed}
        </time>
      </td>
      <td role="cell" className={classes.actions}>
        <ResourceMenu resource={resource} />
      </td>
    </>
  );
});

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}
