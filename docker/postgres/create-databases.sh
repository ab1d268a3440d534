#!/bin/bash
# Creates roles and databases for the service and for Temporal. The PostgreSQL image runs it once, on an empty volume.
set -euo pipefail

psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=kw_password="$POSTGRES_KW_PASSWORD" --set=temporal_password="$POSTGRES_TEMPORAL_PASSWORD" <<'SQL'
create role kw login password :'kw_password';
create role temporal login password :'temporal_password';
create database kw owner kw;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database kw, temporal, temporal_visibility from public;
SQL
