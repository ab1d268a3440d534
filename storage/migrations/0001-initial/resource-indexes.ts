/**
 * Indexes for lists of resources. Each single filter has an index ordered newest first, so that a page takes as long
 * among a million resources as among ten thousand; each sort order of a list has one as well. Columns that are rarely
 * set have partial indexes, which cost most resources nothing.
 */
export const resourceIndexes = `
  create index resources_newest on resources (created_at desc, id desc);
  create index resources_updated on resources (updated_at desc, id desc);
  create index resources_by_name on resources (name, id);
  create index resources_by_size on resources (coalesce(size_bytes, -1), id);
  create index resources_type on resources (type, created_at desc, id desc);
  create index resources_status on resources (status, created_at desc, id desc);
  create index resources_type_status on resources (type, status, created_at desc, id desc);
  create index resources_source_type on resources (source_type, created_at desc, id desc);
  create index resources_disabled on resources (created_at desc, id desc) where not is_enabled;
  create index resources_connector on resources (connector_id, created_at desc, id desc)
    where connector_id is not null;
  create index resources_sha256 on resources (sha256, created_at desc, id desc) where sha256 is not null;
  create index resources_error_code on resources (error_code, created_at desc, id desc)
    where error_code is not null;
  create index resources_failed_plugin on resources (failed_plugin, created_at desc, id desc)
    where failed_plugin is not null;
  create index resources_metadata on resources using gin (metadata jsonb_path_ops);
  create index resources_name on resources using gin (name gin_trgm_ops);
  create index resources_by_status on resources (status);
`;
