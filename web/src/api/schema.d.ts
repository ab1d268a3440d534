// Made by scripts/web-types.mjs from the OpenAPI document.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Resource: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /** @example Annual report 2024 */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type.
       * @example document
       */
      type: string;
      /** @enum {string} */
      source_type: 'UPLOAD' | 'URL';
      /** @description The URL of a URL source; null for an upload. */
      source_uri: string | null;
      /**
       * @description PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.
       * @enum {string}
       */
      status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description No pipeline has its type as trigger type now. */
      no_matching_pipeline: boolean;
      /** @description Whether it is shown to language models. Processing ignores it. */
      is_enabled: boolean;
      /** @description The number of its newest run; 0: never processed. */
      run: number;
      /** @description Of the newest run. */
      steps: components['schemas']['Step'][];
      artifacts: components['schemas']['Artifact'][];
      /** @description Of the source; null until a URL was fetched. */
      size_bytes: number | null;
      /** @description Of the source, in hex. */
      sha256: string | null;
      /** @example application/pdf */
      media_type: string | null;
      /** @description Why it is FAILED. */
      error: {
        /** @example STEP_TIMED_OUT */
        code: string;
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When its newest run was asked for.
       * @example 2025-11-20T09:30:00.000Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      finished_at: string | null;
      /**
       * @description Of its newest run, as the Temporal Web UI finds it.
       * @example resource-019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d-run-1
       */
      workflow_id: string | null;
    };
    ListedResource: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /** @example Annual report 2024 */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type.
       * @example document
       */
      type: string;
      /** @enum {string} */
      source_type: 'UPLOAD' | 'URL';
      /** @description The URL of a URL source; null for an upload. */
      source_uri: string | null;
      /**
       * @description PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.
       * @enum {string}
       */
      status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description No pipeline has its type as trigger type now. */
      no_matching_pipeline: boolean;
      /** @description Whether it is shown to language models. Processing ignores it. */
      is_enabled: boolean;
      /** @description The number of its newest run; 0: never processed. */
      run: number;
      /** @description Of the newest run. */
      steps?: components['schemas']['Step'][];
      artifacts?: components['schemas']['Artifact'][];
      /** @description Of the source; null until a URL was fetched. */
      size_bytes: number | null;
      /** @description Of the source, in hex. */
      sha256: string | null;
      /** @example application/pdf */
      media_type: string | null;
      /** @description Why it is FAILED. */
      error: {
        /** @example STEP_TIMED_OUT */
        code: string;
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When its newest run was asked for.
       * @example 2025-11-20T09:30:00.000Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      finished_at: string | null;
      /**
       * @description Of its newest run, as the Temporal Web UI finds it.
       * @example resource-019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d-run-1
       */
      workflow_id: string | null;
    };
    Step: {
      /** @description Its place in the pipeline, from 0. */
      index: number;
      /** @example extract-text */
      plugin_id: string;
      /**
       * @description RETRYING: an attempt failed, another one is to come.
       * @enum {string}
       */
      status: 'PENDING' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description The number of the newest attempt; 0 before the first. */
      attempt: number;
      /** @description Attempts at most, interrupted ones added. */
      max_attempts: number;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      finished_at: string | null;
      /** @description How far the worker says it is. */
      progress: {
        fraction: number | null;
        /** @example page 8 of 20 */
        message: string | null;
      } | null;
      /** @description Why the last attempt failed. */
      error: {
        /**
         * @description The plugin's own code, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        message: string;
        details: Record<string, never>;
      } | null;
      /** @description Why a step does not get on: no worker took it yet, a worker will report, a pause, the fetch of the URL. */
      waiting_for: {
        /** @enum {string} */
        kind: 'worker' | 'callback' | 'retry' | 'fetch';
        /**
         * Format: date-time
         * @description ISO 8601, in UTC, with milliseconds.
         * @example 2025-11-20T09:30:00.000Z
         */
        until: string | null;
        task_queue: string | null;
        /** @example No worker polls the task queue ocr. */
        message: string;
      } | null;
    };
    Artifact: {
      /**
       * Format: uuid
       * @description Kept when a later run produces the artifact again.
       * @example 019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /** @enum {string} */
      content_type: 'text' | 'json' | 'vector';
      step_index: number;
      /** @example extract-text */
      plugin_id: string;
      /** @description The run that made its content. */
      run: number;
      size_bytes: number;
      metadata: Record<string, never>;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
    };
    ArtifactContent: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /** @enum {string} */
      content_type: 'text' | 'json' | 'vector';
      /** @description A string (text), an object (json), an array of numbers or an array of such arrays of one length (vector). */
      content: string | Record<string, never> | (number | number[])[];
    };
    Run: {
      run: number;
      /** @enum {string} */
      status: 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      workflow_id: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      started_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      finished_at: string | null;
      /** @description Why it is FAILED. */
      error: {
        /** @example STEP_TIMED_OUT */
        code: string;
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      steps: components['schemas']['Step'][];
    };
    Pipeline: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /** @example Documents */
      name: string;
      /** @example document */
      trigger_type: string;
      steps: {
        /** @example extract-text */
        plugin_id: string;
        /**
         * @description Attempts at most, the first one counted.
         * @default 3
         */
        max_attempts: number;
        /**
         * @description The pause between two attempts.
         * @default 5
         */
        backoff_seconds: number;
        /**
         * @description How long one attempt may take.
         * @default 300
         */
        timeout_seconds: number;
      }[];
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
    };
    ListedPlugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /** @example Optical character recognition */
      name: string;
      description: string;
      /** @example 1.2.0 */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      task_queue: string | null;
      activity_type: string | null;
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds: number | null;
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered or claimed a step.
       * @example 2025-11-20T09:30:00.000Z
       */
      last_seen_at: string | null;
    };
    Plugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /** @example Optical character recognition */
      name: string;
      description: string;
      /** @example 1.2.0 */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      task_queue: string | null;
      activity_type: string | null;
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds: number | null;
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered or claimed a step.
       * @example 2025-11-20T09:30:00.000Z
       */
      last_seen_at: string | null;
      /**
       * @description As the plugin reads it.
       * @example {
       *       "language": "en"
       *     }
       */
      config: Record<string, never>;
    };
    PluginWithPollers: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /** @example Optical character recognition */
      name: string;
      description: string;
      /** @example 1.2.0 */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      task_queue: string | null;
      activity_type: string | null;
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds: number | null;
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered or claimed a step.
       * @example 2025-11-20T09:30:00.000Z
       */
      last_seen_at: string | null;
      /**
       * @description As the plugin reads it.
       * @example {
       *       "language": "en"
       *     }
       */
      config: Record<string, never>;
      /** @description How many workers asked its task queue for work within 90 s; null for http plugins and while Temporal does not answer. */
      pollers: number | null;
      /** @description What it has left to remove elsewhere of deleted resources and artifacts that went away. */
      pending_clean_ups: {
        count: number;
        /** Format: date-time */
        oldest_at: string | null;
        /** @description Why the one that was tried most failed. */
        last_error: string | null;
      };
    };
    PluginWithWarnings: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /** @example Optical character recognition */
      name: string;
      description: string;
      /** @example 1.2.0 */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      task_queue: string | null;
      activity_type: string | null;
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds: number | null;
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered or claimed a step.
       * @example 2025-11-20T09:30:00.000Z
       */
      last_seen_at: string | null;
      /**
       * @description As the plugin reads it.
       * @example {
       *       "language": "en"
       *     }
       */
      config: Record<string, never>;
      /** @description Where the config does not match the config_schema. The config counts nevertheless. */
      config_warnings: {
        /** @description A JSON Pointer into the config. */
        path: string;
        message: string;
      }[];
    };
    RegisteredPlugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /** @example Optical character recognition */
      name: string;
      description: string;
      /** @example 1.2.0 */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      task_queue: string | null;
      activity_type: string | null;
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds: number | null;
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered or claimed a step.
       * @example 2025-11-20T09:30:00.000Z
       */
      last_seen_at: string | null;
      /**
       * @description As the plugin reads it.
       * @example {
       *       "language": "en"
       *     }
       */
      config: Record<string, never>;
      /** @description Where the config does not match the config_schema. The config counts nevertheless. */
      config_warnings: {
        /** @description A JSON Pointer into the config. */
        path: string;
        message: string;
      }[];
      /**
       * @description Of http plugins: what their messages are signed with (Standard Webhooks). Shown here alone.
       * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
       */
      signing_secret?: string;
    };
    /** Step */
    StepMessage: {
      /** @constant */
      protocol: 'kw.step/1';
      attempt: {
        number: number;
        max: number;
        /** Format: date-time */
        deadline: string;
      };
      run: number;
      step_index: number;
      resource: {
        /** Format: uuid */
        id: string;
        name: string;
        type: string;
        media_type: string | null;
        size_bytes: number | null;
        sha256: string | null;
        /** @description The bytes themselves, read with the callback token. */
        source_url: string;
      };
      plugin: {
        id: string;
        config: Record<string, never>;
      };
      inputs: {
        /** Format: uuid */
        artifact_id: string;
        type: string;
        /** @enum {string} */
        content_type: 'text' | 'json' | 'vector';
        /** @description The content itself, read with the callback token. */
        url: string;
      }[];
      callback: {
        url: string;
        token: string;
      };
    };
    /**
     * @example {
     *       "accepted": true,
     *       "duplicate": false,
     *       "cancel_requested": false
     *     }
     */
    Accepted: {
      /** @constant */
      accepted: true;
      /** @description The attempt was settled with an equal report before. */
      duplicate: boolean;
      /** @description The run is to end: the worker may stop working on it. */
      cancel_requested: boolean;
    };
    Error: {
      error: {
        /**
         * @description For programs; codes are added, never changed.
         * @example VALIDATION_FAILED
         * @enum {string}
         */
        code:
          | 'VALIDATION_FAILED'
          | 'MALFORMED_BODY'
          | 'INVALID_PLUGIN'
          | 'UNKNOWN_PLUGIN'
          | 'URL_NOT_ALLOWED'
          | 'UNAUTHENTICATED'
          | 'FORBIDDEN'
          | 'NOT_FOUND'
          | 'METHOD_NOT_ALLOWED'
          | 'RESOURCE_PROCESSING'
          | 'RESOURCE_NOT_PROCESSING'
          | 'STEP_NOT_RESUMABLE'
          | 'NO_MATCHING_PIPELINE'
          | 'TRIGGER_TYPE_TAKEN'
          | 'PLUGIN_IN_USE'
          | 'PLUGIN_EXISTS'
          | 'ATTEMPT_CLOSED'
          | 'IDEMPOTENCY_IN_PROGRESS'
          | 'PRECONDITION_FAILED'
          | 'PAYLOAD_TOO_LARGE'
          | 'UNSUPPORTED_MEDIA_TYPE'
          | 'RANGE_NOT_SATISFIABLE'
          | 'IDEMPOTENCY_MISMATCH'
          | 'RATE_LIMITED'
          | 'INTERNAL'
          | 'DATABASE_UNAVAILABLE'
          | 'STORAGE_UNAVAILABLE'
          | 'TEMPORAL_UNAVAILABLE';
        /**
         * @description For people.
         * @example /name: is missing
         */
        message: string;
        /**
         * @description What else is known. Validation errors stand in `errors`, each with a JSON Pointer and a message.
         * @example {
         *       "errors": [
         *         {
         *           "path": "/name",
         *           "message": "is missing"
         *         }
         *       ]
         *     }
         */
        details: Record<string, never>;
      };
    };
    /**
     * @example {
     *       "name": "Annual report",
     *       "type": "webpage",
     *       "source": {
     *         "kind": "URL",
     *         "url": "https://example.com/report.html"
     *       }
     *     }
     */
    NewResource: {
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Annual report 2024
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type. 100 characters at most, without control characters; spaces around it are dropped.
       * @example document
       */
      type: string;
      source: {
        /** @enum {string} */
        kind: 'UPLOAD' | 'URL';
      } & (
        | {
            /** @constant */
            kind?: 'URL';
            /**
             * @description Where the source is: http or https, on the public internet. Fetched once per run.
             * @example https://example.com/report.pdf
             */
            url: string;
          }
        | {
            /** @constant */
            kind?: 'UPLOAD';
          }
      );
    };
    UploadForm: {
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Annual report 2024
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type. 100 characters at most, without control characters; spaces around it are dropped.
       * @example document
       */
      type: string;
      /**
       * @description The JSON text `{"kind":"UPLOAD"}`; may be left out.
       * @example {"kind":"UPLOAD"}
       */
      source?: string;
      /** @description The file; not empty. */
      file: string;
    };
    /**
     * @example {
     *       "name": "Documents",
     *       "trigger_type": "document",
     *       "steps": [
     *         {
     *           "plugin_id": "extract-text",
     *           "max_attempts": 3,
     *           "timeout_seconds": 120
     *         },
     *         {
     *           "plugin_id": "chunk-text"
     *         }
     *       ]
     *     }
     */
    NewPipeline: {
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Documents
       */
      name: string;
      /**
       * @description The type of the resources it processes; at most one pipeline has it. 100 characters at most, without control characters; spaces around it are dropped.
       * @example document
       */
      trigger_type: string;
      steps: components['schemas']['NewPipelineStep'][];
    };
    NewPipelineStep: {
      /**
       * @description A registered plugin.
       * @example extract-text
       */
      plugin_id: string;
      /**
       * @description Attempts at most, the first one counted.
       * @default 3
       */
      max_attempts?: number;
      /**
       * @description The pause between two attempts.
       * @default 5
       */
      backoff_seconds?: number;
      /**
       * @description How long one attempt may take.
       * @default 300
       */
      timeout_seconds?: number;
    };
    /**
     * @example {
     *       "id": "ocr",
     *       "name": "OCR",
     *       "kind": "http",
     *       "endpoint": "https://ocr.example.com/steps"
     *     }
     */
    NewPlugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description?: string;
      /** @example 1.2.0 */
      version?: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /**
       * @description Where the workers of an activity plugin look for work.
       * @example ocr
       */
      task_queue?: string | null;
      /**
       * @description The activity that an activity plugin runs.
       * @example recogniseText
       */
      activity_type?: string | null;
      /**
       * @description Where the steps of an http plugin are posted to.
       * @example https://ocr.example.com/steps
       */
      endpoint?: string | null;
      /**
       * @description Any JSON object: 64 levels and 256 KiB at most. Kept exactly; the plugin alone knows what it means.
       * @example {
       *       "language": "en"
       *     }
       */
      config?: Record<string, never>;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema?: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces?: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds?: number | null;
      /**
       * @description The activity that removes what an activity plugin keeps elsewhere.
       * @example forgetVectors
       */
      cleanup_activity_type?: string | null;
    } & (unknown & unknown);
    /**
     * @example {
     *       "id": "ocr",
     *       "name": "OCR",
     *       "kind": "http",
     *       "endpoint": "https://ocr.example.com/steps"
     *     }
     */
    PluginRegistration: {
      /**
       * @description If given, the id in the path.
       * @example ocr
       */
      id?: string;
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description?: string;
      /** @example 1.2.0 */
      version?: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /**
       * @description Where the workers of an activity plugin look for work.
       * @example ocr
       */
      task_queue?: string | null;
      /**
       * @description The activity that an activity plugin runs.
       * @example recogniseText
       */
      activity_type?: string | null;
      /**
       * @description Where the steps of an http plugin are posted to.
       * @example https://ocr.example.com/steps
       */
      endpoint?: string | null;
      /**
       * @description Any JSON object: 64 levels and 256 KiB at most. Kept exactly; the plugin alone knows what it means.
       * @example {
       *       "language": "en"
       *     }
       */
      config?: Record<string, never>;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused. */
      config_schema?: Record<string, never> | boolean | null;
      /**
       * @description The types of the artifacts it makes.
       * @example [
       *       "text"
       *     ]
       */
      produces?: string[];
      /** @description An attempt whose worker is silent for longer has failed; null: silence is fine. */
      heartbeat_seconds?: number | null;
      /**
       * @description The activity that removes what an activity plugin keeps elsewhere.
       * @example forgetVectors
       */
      cleanup_activity_type?: string | null;
    } & (unknown & unknown);
    Report: {
      /** @enum {string} */
      status: 'SUCCESS' | 'FAILURE' | 'PROGRESS';
    } & (
      | {
          /** @constant */
          status?: 'SUCCESS';
          artifact?: components['schemas']['ReportedArtifact'];
          artifacts?: components['schemas']['ReportedArtifact'][];
        }
      | {
          /** @constant */
          status?: 'FAILURE';
          error?: {
            code?: string;
            message?: string;
            /** @default true */
            retryable?: boolean;
            retry_after_seconds?: number;
            details?: Record<string, never>;
          };
        }
      | {
          /** @constant */
          status?: 'PROGRESS';
          progress: {
            fraction?: number;
            message?: string;
          };
        }
    );
    ReportedArtifact: {
      /** @enum {string} */
      content_type: 'text' | 'json' | 'vector';
    } & (
      | ({
          /** @description Unique within the report. */
          type?: string;
          /** @description At most 16 KiB as JSON. */
          metadata?: Record<string, never>;
          /**
           * Format: uuid
           * @description In place of `content`: what PUT …/uploads answered to this attempt.
           */
          upload_id?: string;
          /** @constant */
          content_type?: 'text';
          /** @description At most 1 MiB of UTF-8. */
          content?: string;
        } & (unknown | unknown))
      | ({
          /** @description Unique within the report. */
          type?: string;
          /** @description At most 16 KiB as JSON. */
          metadata?: Record<string, never>;
          /**
           * Format: uuid
           * @description In place of `content`: what PUT …/uploads answered to this attempt.
           */
          upload_id?: string;
          /** @constant */
          content_type?: 'json';
          content?: Record<string, never>;
        } & (unknown | unknown))
      | ({
          /** @description Unique within the report. */
          type?: string;
          /** @description At most 16 KiB as JSON. */
          metadata?: Record<string, never>;
          /**
           * Format: uuid
           * @description In place of `content`: what PUT …/uploads answered to this attempt.
           */
          upload_id?: string;
          /** @constant */
          content_type?: 'vector';
          /** @description Numbers, or arrays of numbers of one length. */
          content?: (number | number[])[];
        } & (unknown | unknown))
    );
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
