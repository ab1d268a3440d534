#!/bin/sh
# Brings Temporal's two databases up to the schema of this version; changes nothing where they are already.
# SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD and SQL_PLUGIN tell temporal-sql-tool where they are.
set -eu

set_up() {
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

set_up temporal temporal
set_up temporal_visibility visibility
