#!/bin/sh
# Creates the namespace TEMPORAL_NAMESPACE on TEMPORAL_ADDRESS unless it exists, and waits until it can be used.
set -eu

# Retries a command for two minutes.
patiently() {
  tries=0
  until "$@" > /tmp/answer 2>&1; do
    tries=$((tries + 1))
    if [ "$tries" -ge 60 ]; then
      cat /tmp/answer >&2
      exit 1
    fi
    sleep 2
  done
}

patiently temporal operator cluster health
if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1; then
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi
patiently temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"
echo "Namespace $TEMPORAL_NAMESPACE is ready."
