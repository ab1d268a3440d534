// Made by scripts/web-types.mjs from the OpenAPI document.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @example {
     *       "id": "019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d",
     *       "name": "Archive handbook",
     *       "type": "document",
     *       "source_type": "UPLOAD",
     *       "source_uri": null,
     *       "status": "COMPLETED",
     *       "no_matching_pipeline": false,
     *       "is_enabled": true,
     *       "run": 1,
     *       "size_bytes": 151142,
     *       "sha256": "b9978d0cf84f0074b423af165d474cd501059d4984fc1df8a00e281f0a3388b5",
     *       "media_type": "application/pdf",
     *       "error": null,
     *       "created_at": "2025-11-20T09:30:00.123Z",
     *       "updated_at": "2025-11-20T09:30:03.381Z",
     *       "started_at": "2025-11-20T09:30:00.123Z",
     *       "finished_at": "2025-11-20T09:30:03.381Z",
     *       "workflow_id": "resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-1",
     *       "steps": [
     *         {
     *           "index": 0,
     *           "plugin_id": "extract-text",
     *           "status": "COMPLETED",
     *           "attempt": 1,
     *           "max_attempts": 3,
     *           "started_at": "2025-11-20T09:30:00.578Z",
     *           "finished_at": "2025-11-20T09:30:02.791Z",
     *           "progress": {
     *             "fraction": 1,
     *             "message": "Page 130 of 130"
     *           },
     *           "error": null,
     *           "waiting_for": null
     *         },
     *         {
     *           "index": 1,
     *           "plugin_id": "chunk-text",
     *           "status": "COMPLETED",
     *           "attempt": 1,
     *           "max_attempts": 3,
     *           "started_at": "2025-11-20T09:30:02.791Z",
     *           "finished_at": "2025-11-20T09:30:03.381Z",
     *           "progress": null,
     *           "error": null,
     *           "waiting_for": null
     *         }
     *       ],
     *       "artifacts": [
     *         {
     *           "id": "019aa099-74a9-7cb8-88c3-2c206b659d6a",
     *           "type": "metadata",
     *           "content_type": "json",
     *           "step_index": 0,
     *           "plugin_id": "extract-text",
     *           "run": 1,
     *           "size_bytes": 284,
     *           "metadata": {},
     *           "created_at": "2025-11-20T09:30:02.748Z",
     *           "updated_at": "2025-11-20T09:30:02.748Z"
     *         },
     *         {
     *           "id": "019aa099-74a9-7c0a-81e7-081f0ea29918",
     *           "type": "text",
     *           "content_type": "text",
     *           "step_index": 0,
     *           "plugin_id": "extract-text",
     *           "run": 1,
     *           "size_bytes": 167632,
     *           "metadata": {},
     *           "created_at": "2025-11-20T09:30:02.748Z",
     *           "updated_at": "2025-11-20T09:30:02.748Z"
     *         },
     *         {
     *           "id": "019aa099-76f0-7f6e-a5f2-f418abb826f8",
     *           "type": "chunks",
     *           "content_type": "json",
     *           "step_index": 1,
     *           "plugin_id": "chunk-text",
     *           "run": 1,
     *           "size_bytes": 205432,
     *           "metadata": {
     *             "count": 98,
     *             "unit": "tokens",
     *             "size": 512,
     *             "overlap": 64,
     *             "encoding": "o200k_base"
     *           },
     *           "created_at": "2025-11-20T09:30:03.331Z",
     *           "updated_at": "2025-11-20T09:30:03.331Z"
     *         }
     *       ]
     *     }
     */
    Resource: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description What people call it.
       * @example Archive handbook
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type.
       * @example document
       */
      type: string;
      /**
       * @description Whether a file was sent or a URL.
       * @enum {string}
       */
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
      /** @description What came out so far; their contents are read one by one. */
      artifacts: components['schemas']['Artifact'][];
      /** @description Of the source; null until a URL was fetched. */
      size_bytes: number | null;
      /** @description Of the source, in hex. */
      sha256: string | null;
      /**
       * @description Of the source, told by its bytes; null until a URL was fetched.
       * @example application/pdf
       */
      media_type: string | null;
      /** @description Why it is FAILED. */
      error: {
        /**
         * @description The code of the step's last error, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description For people. */
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When its newest run was asked for.
       * @example 2025-11-20T09:30:00.123Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      finished_at: string | null;
      /**
       * @description Of its newest run, as the Temporal Web UI finds it.
       * @example resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-1
       */
      workflow_id: string | null;
    };
    /**
     * @example {
     *       "id": "019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d",
     *       "name": "Archive handbook",
     *       "type": "document",
     *       "source_type": "UPLOAD",
     *       "source_uri": null,
     *       "status": "COMPLETED",
     *       "no_matching_pipeline": false,
     *       "is_enabled": true,
     *       "run": 1,
     *       "size_bytes": 151142,
     *       "sha256": "b9978d0cf84f0074b423af165d474cd501059d4984fc1df8a00e281f0a3388b5",
     *       "media_type": "application/pdf",
     *       "error": null,
     *       "created_at": "2025-11-20T09:30:00.123Z",
     *       "updated_at": "2025-11-20T09:30:03.381Z",
     *       "started_at": "2025-11-20T09:30:00.123Z",
     *       "finished_at": "2025-11-20T09:30:03.381Z",
     *       "workflow_id": "resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-1"
     *     }
     */
    ListedResource: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description What people call it.
       * @example Archive handbook
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type.
       * @example document
       */
      type: string;
      /**
       * @description Whether a file was sent or a URL.
       * @enum {string}
       */
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
      /** @description What came out so far; their contents are read one by one. */
      artifacts?: components['schemas']['Artifact'][];
      /** @description Of the source; null until a URL was fetched. */
      size_bytes: number | null;
      /** @description Of the source, in hex. */
      sha256: string | null;
      /**
       * @description Of the source, told by its bytes; null until a URL was fetched.
       * @example application/pdf
       */
      media_type: string | null;
      /** @description Why it is FAILED. */
      error: {
        /**
         * @description The code of the step's last error, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description For people. */
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When its newest run was asked for.
       * @example 2025-11-20T09:30:00.123Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      finished_at: string | null;
      /**
       * @description Of its newest run, as the Temporal Web UI finds it.
       * @example resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-1
       */
      workflow_id: string | null;
    };
    Step: {
      /** @description Its place in the pipeline, from 0. */
      index: number;
      /**
       * @description The plugin that does it.
       * @example extract-text
       */
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
       * @example 2025-11-20T09:30:00.123Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      finished_at: string | null;
      /** @description How far the worker says it is. */
      progress: {
        /** @description Of the whole: 1 is done; null where it cannot be said. */
        fraction: number | null;
        /**
         * @description For people.
         * @example page 8 of 20
         */
        message: string | null;
      } | null;
      /** @description Why the last attempt failed. */
      error: {
        /**
         * @description The plugin's own code, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description For people. */
        message: string;
        /** @description What else the plugin said of it. */
        details: Record<string, never>;
      } | null;
      /** @description What a step is waiting for; null: it runs, or has ended. */
      waiting_for: {
        /**
         * @description worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free parser; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing.
         * @enum {string}
         */
        kind: 'worker' | 'callback' | 'retry' | 'fetch' | 'room' | 'paused' | 'workflow';
        /**
         * Format: date-time
         * @description When the wait ends at the latest; null: no end is set.
         * @example 2025-11-20T09:30:00.123Z
         */
        until: string | null;
        /** @description Where a worker is waited for. */
        task_queue: string | null;
        /**
         * @description The same for people.
         * @example No worker polls the task queue ocr.
         */
        message: string;
      } | null;
    };
    Artifact: {
      /**
       * Format: uuid
       * @description Kept when a later run produces the artifact again.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /**
       * @description What its content is.
       * @enum {string}
       */
      content_type: 'text' | 'json' | 'vector';
      /** @description The step that made it. */
      step_index: number;
      /**
       * @description The plugin that made it.
       * @example extract-text
       */
      plugin_id: string;
      /** @description The run that made its content. */
      run: number;
      /** @description Of its content as it is stored. */
      size_bytes: number;
      /** @description What the plugin says of it beside its content. */
      metadata: Record<string, never>;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "id": "019aa099-74a9-7c0a-81e7-081f0ea29918",
     *       "type": "text",
     *       "content_type": "text",
     *       "content": "1. Intake\n\nSection 1.1 applies to file series 101. Every record is checked against its delivery note before it is\nplaced on a shelf. …"
     *     }
     */
    ArtifactContent: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /**
       * @description What its content is.
       * @enum {string}
       */
      content_type: 'text' | 'json' | 'vector';
      /** @description A string (text), an object (json), an array of numbers or an array of such arrays of one length (vector). */
      content: string | Record<string, never> | (number | number[])[];
    };
    /**
     * @example {
     *       "run": 2,
     *       "status": "PROCESSING",
     *       "workflow_id": "resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-2",
     *       "started_at": "2025-11-20T10:15:00.000Z",
     *       "finished_at": null,
     *       "error": null,
     *       "steps": [
     *         {
     *           "index": 0,
     *           "plugin_id": "extract-text",
     *           "status": "RETRYING",
     *           "attempt": 1,
     *           "max_attempts": 3,
     *           "started_at": "2025-11-20T10:15:00.402Z",
     *           "finished_at": null,
     *           "progress": null,
     *           "error": {
     *             "code": "STEP_TIMED_OUT",
     *             "message": "The attempt did not end in time.",
     *             "details": {}
     *           },
     *           "waiting_for": {
     *             "kind": "retry",
     *             "until": "2025-11-20T10:25:05.410Z",
     *             "task_queue": null,
     *             "message": "Attempt 1 failed with STEP_TIMED_OUT; the next one comes after a pause."
     *           }
     *         },
     *         {
     *           "index": 1,
     *           "plugin_id": "chunk-text",
     *           "status": "PENDING",
     *           "attempt": 0,
     *           "max_attempts": 3,
     *           "started_at": null,
     *           "finished_at": null,
     *           "progress": null,
     *           "error": null,
     *           "waiting_for": null
     *         }
     *       ]
     *     }
     * @example {
     *       "run": 1,
     *       "status": "COMPLETED",
     *       "workflow_id": "resource-019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d-run-1",
     *       "started_at": "2025-11-20T09:30:00.123Z",
     *       "finished_at": "2025-11-20T09:30:03.381Z",
     *       "error": null,
     *       "steps": [
     *         {
     *           "index": 0,
     *           "plugin_id": "extract-text",
     *           "status": "COMPLETED",
     *           "attempt": 1,
     *           "max_attempts": 3,
     *           "started_at": "2025-11-20T09:30:00.578Z",
     *           "finished_at": "2025-11-20T09:30:02.791Z",
     *           "progress": {
     *             "fraction": 1,
     *             "message": "Page 130 of 130"
     *           },
     *           "error": null,
     *           "waiting_for": null
     *         },
     *         {
     *           "index": 1,
     *           "plugin_id": "chunk-text",
     *           "status": "COMPLETED",
     *           "attempt": 1,
     *           "max_attempts": 3,
     *           "started_at": "2025-11-20T09:30:02.791Z",
     *           "finished_at": "2025-11-20T09:30:03.381Z",
     *           "progress": null,
     *           "error": null,
     *           "waiting_for": null
     *         }
     *       ]
     *     }
     */
    Run: {
      /** @description Its number. */
      run: number;
      /**
       * @description How it stands.
       * @enum {string}
       */
      status: 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description As the Temporal Web UI finds it. */
      workflow_id: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      started_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      finished_at: string | null;
      /** @description Why it is FAILED. */
      error: {
        /**
         * @description The code of the step's last error, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description For people. */
        message: string;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
      /** @description As they were taken from the pipeline. */
      steps: components['schemas']['Step'][];
    };
    /**
     * @example {
     *       "id": "019a9b1d-5480-743e-8ba2-1f5057df2db4",
     *       "name": "Documents",
     *       "trigger_type": "document",
     *       "steps": [
     *         {
     *           "plugin_id": "extract-text",
     *           "max_attempts": 3,
     *           "backoff_seconds": 5,
     *           "timeout_seconds": 600
     *         },
     *         {
     *           "plugin_id": "chunk-text",
     *           "max_attempts": 3,
     *           "backoff_seconds": 5,
     *           "timeout_seconds": 300
     *         }
     *       ],
     *       "created_at": "2025-11-19T08:00:00.000Z",
     *       "updated_at": "2025-11-19T08:00:00.000Z"
     *     }
     */
    Pipeline: {
      /**
       * Format: uuid
       * @description A UUID (version 7).
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description What people call it.
       * @example Documents
       */
      name: string;
      /**
       * @description The type of the resources it processes.
       * @example document
       */
      trigger_type: string;
      /** @description What is done, in this order. */
      steps: {
        /**
         * @description The plugin that does it.
         * @example extract-text
         */
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
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "id": "chunk-text",
     *       "name": "Chunk text",
     *       "description": "Cuts the text of earlier steps into chunks that overlap.",
     *       "version": "1.0.0",
     *       "kind": "activity",
     *       "task_queue": "kw-core",
     *       "activity_type": "chunk-text",
     *       "endpoint": null,
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "size": {
     *             "type": "integer",
     *             "minimum": 1,
     *             "default": 512
     *           },
     *           "overlap": {
     *             "type": "integer",
     *             "minimum": 0,
     *             "default": 64
     *           }
     *         }
     *       },
     *       "produces": [
     *         "chunks"
     *       ],
     *       "heartbeat_seconds": 10,
     *       "cleanup_activity_type": null,
     *       "is_active": true,
     *       "built_in": true,
     *       "created_at": "2025-11-19T08:00:00.000Z",
     *       "updated_at": "2025-11-19T08:00:00.000Z",
     *       "last_seen_at": "2025-11-20T09:30:02.802Z"
     *     }
     */
    ListedPlugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description: string;
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Where the workers of an activity plugin look for work. */
      task_queue: string | null;
      /** @description The activity that an activity plugin runs. */
      activity_type: string | null;
      /** @description Where the steps of an http plugin are posted to. */
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /** @description The activity that removes what an activity plugin keeps elsewhere. */
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered, claimed a step or answered the delivery of one.
       * @example 2025-11-20T09:30:00.123Z
       */
      last_seen_at: string | null;
    };
    /**
     * @example {
     *       "task_queue": null,
     *       "activity_type": null,
     *       "endpoint": "https://ocr.example.com/steps",
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "language": {
     *             "type": "string",
     *             "default": "en"
     *           }
     *         }
     *       },
     *       "cleanup_activity_type": null,
     *       "is_active": true,
     *       "built_in": false,
     *       "created_at": "2025-11-20T08:45:10.000Z",
     *       "updated_at": "2025-11-20T08:45:10.000Z",
     *       "last_seen_at": null,
     *       "id": "ocr",
     *       "name": "Optical character recognition",
     *       "description": "Reads the text of scans.",
     *       "version": "1.2.0",
     *       "kind": "http",
     *       "config": {
     *         "language": "en"
     *       },
     *       "produces": [
     *         "text"
     *       ],
     *       "heartbeat_seconds": 60
     *     }
     */
    Plugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description: string;
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Where the workers of an activity plugin look for work. */
      task_queue: string | null;
      /** @description The activity that an activity plugin runs. */
      activity_type: string | null;
      /** @description Where the steps of an http plugin are posted to. */
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /** @description The activity that removes what an activity plugin keeps elsewhere. */
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered, claimed a step or answered the delivery of one.
       * @example 2025-11-20T09:30:00.123Z
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
    /**
     * @example {
     *       "id": "chunk-text",
     *       "name": "Chunk text",
     *       "description": "Cuts the text of earlier steps into chunks that overlap.",
     *       "version": "1.0.0",
     *       "kind": "activity",
     *       "task_queue": "kw-core",
     *       "activity_type": "chunk-text",
     *       "endpoint": null,
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "size": {
     *             "type": "integer",
     *             "minimum": 1,
     *             "default": 512
     *           },
     *           "overlap": {
     *             "type": "integer",
     *             "minimum": 0,
     *             "default": 64
     *           }
     *         }
     *       },
     *       "produces": [
     *         "chunks"
     *       ],
     *       "heartbeat_seconds": 10,
     *       "cleanup_activity_type": null,
     *       "is_active": true,
     *       "built_in": true,
     *       "created_at": "2025-11-19T08:00:00.000Z",
     *       "updated_at": "2025-11-19T08:00:00.000Z",
     *       "last_seen_at": "2025-11-20T09:30:02.802Z",
     *       "config": {
     *         "size": 512,
     *         "overlap": 64
     *       },
     *       "pollers": 2,
     *       "pending_clean_ups": {
     *         "count": 0,
     *         "oldest_at": null,
     *         "last_error": null
     *       }
     *     }
     */
    PluginWithPollers: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description: string;
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Where the workers of an activity plugin look for work. */
      task_queue: string | null;
      /** @description The activity that an activity plugin runs. */
      activity_type: string | null;
      /** @description Where the steps of an http plugin are posted to. */
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /** @description The activity that removes what an activity plugin keeps elsewhere. */
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered, claimed a step or answered the delivery of one.
       * @example 2025-11-20T09:30:00.123Z
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
        /** @description How many removals. */
        count: number;
        /**
         * Format: date-time
         * @description Since when the oldest waits.
         */
        oldest_at: string | null;
        /** @description Why the one that was tried most failed. */
        last_error: string | null;
      };
    };
    /**
     * @example {
     *       "id": "chunk-text",
     *       "name": "Chunk text",
     *       "description": "Cuts the text of earlier steps into chunks that overlap.",
     *       "version": "1.0.0",
     *       "kind": "activity",
     *       "task_queue": "kw-core",
     *       "activity_type": "chunk-text",
     *       "endpoint": null,
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "size": {
     *             "type": "integer",
     *             "minimum": 1,
     *             "default": 512
     *           },
     *           "overlap": {
     *             "type": "integer",
     *             "minimum": 0,
     *             "default": 64
     *           }
     *         }
     *       },
     *       "produces": [
     *         "chunks"
     *       ],
     *       "heartbeat_seconds": 10,
     *       "cleanup_activity_type": null,
     *       "is_active": true,
     *       "built_in": true,
     *       "created_at": "2025-11-19T08:00:00.000Z",
     *       "updated_at": "2025-11-19T08:00:00.000Z",
     *       "last_seen_at": "2025-11-20T09:30:02.802Z",
     *       "config": {
     *         "size": 256,
     *         "overlap": 32
     *       },
     *       "config_warnings": []
     *     }
     */
    PluginWithWarnings: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description: string;
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Where the workers of an activity plugin look for work. */
      task_queue: string | null;
      /** @description The activity that an activity plugin runs. */
      activity_type: string | null;
      /** @description Where the steps of an http plugin are posted to. */
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /** @description The activity that removes what an activity plugin keeps elsewhere. */
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered, claimed a step or answered the delivery of one.
       * @example 2025-11-20T09:30:00.123Z
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
        /** @description What is wrong there. */
        message: string;
      }[];
    };
    /**
     * @example {
     *       "task_queue": null,
     *       "activity_type": null,
     *       "endpoint": "https://ocr.example.com/steps",
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "language": {
     *             "type": "string",
     *             "default": "en"
     *           }
     *         }
     *       },
     *       "cleanup_activity_type": null,
     *       "is_active": true,
     *       "built_in": false,
     *       "created_at": "2025-11-20T08:45:10.000Z",
     *       "updated_at": "2025-11-20T08:45:10.000Z",
     *       "last_seen_at": null,
     *       "id": "ocr",
     *       "name": "Optical character recognition",
     *       "description": "Reads the text of scans.",
     *       "version": "1.2.0",
     *       "kind": "http",
     *       "config": {
     *         "language": "en"
     *       },
     *       "produces": [
     *         "text"
     *       ],
     *       "heartbeat_seconds": 60,
     *       "config_warnings": [],
     *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDr1vGMmZK3TE="
     *     }
     */
    RegisteredPlugin: {
      /**
       * @description Lower-case letters, digits and hyphens; 63 characters at most.
       * @example ocr
       */
      id: string;
      /**
       * @description What people call it.
       * @example Optical character recognition
       */
      name: string;
      /** @description What it does. */
      description: string;
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
      version: string;
      /**
       * @description activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Where the workers of an activity plugin look for work. */
      task_queue: string | null;
      /** @description The activity that an activity plugin runs. */
      activity_type: string | null;
      /** @description Where the steps of an http plugin are posted to. */
      endpoint: string | null;
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /** @description The activity that removes what an activity plugin keeps elsewhere. */
      cleanup_activity_type: string | null;
      /** @description Steps that begin while it is false fail with PLUGIN_INACTIVE. */
      is_active: boolean;
      /** @description Comes with the service and registers itself when it starts. */
      built_in: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When a worker of it last registered, claimed a step or answered the delivery of one.
       * @example 2025-11-20T09:30:00.123Z
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
        /** @description What is wrong there. */
        message: string;
      }[];
      /** @description Of http plugins: what their messages are signed with (Standard Webhooks). Shown here alone. */
      signing_secret?: string;
    };
    /**
     * Step
     * @example {
     *       "protocol": "kw.step/1",
     *       "attempt": {
     *         "number": 1,
     *         "max": 3,
     *         "deadline": "2025-11-20T09:35:02.791Z",
     *         "remaining_ms": 299987
     *       },
     *       "run": 1,
     *       "step_index": 1,
     *       "resource": {
     *         "id": "019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d",
     *         "name": "Archive handbook",
     *         "type": "document",
     *         "source_type": "UPLOAD",
     *         "media_type": "application/pdf",
     *         "size_bytes": 151142,
     *         "sha256": "b9978d0cf84f0074b423af165d474cd501059d4984fc1df8a00e281f0a3388b5",
     *         "source_url": "https://kw.example.com/api/v1/internal/resources/019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d/source"
     *       },
     *       "plugin": {
     *         "id": "chunk-text",
     *         "config": {
     *           "size": 512,
     *           "overlap": 64
     *         }
     *       },
     *       "inputs": [
     *         {
     *           "artifact_id": "019aa099-74a9-7c0a-81e7-081f0ea29918",
     *           "type": "text",
     *           "content_type": "text",
     *           "url": "https://kw.example.com/api/v1/internal/resources/019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d/inputs/019aa099-74a9-7c0a-81e7-081f0ea29918"
     *         }
     *       ],
     *       "callback": {
     *         "url": "https://kw.example.com/api/v1/internal/artifacts/019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d",
     *         "token": "kwt_WyIwMTlhYTA5OS02YTNiLTdkNGUtOGE1MS0wZTZmMmE5YjNjNGQiLDEsMSwxLDE3NjM3MTc3MDBd.q0dV1mK4rX8cLwYp2nTzJ7sHfGbA5eQuR3iOxWkNhPM"
     *       }
     *     }
     */
    StepMessage: {
      /** @constant */
      protocol: 'kw.step/1';
      /** @description Which attempt this is. */
      attempt: {
        /** @description From 1; no number is used twice in a step. */
        number: number;
        /** @description The step fails for good when this one has failed. */
        max: number;
        /**
         * Format: date-time
         * @description Later reports are ATTEMPT_CLOSED.
         */
        deadline: string;
        /** @description Milliseconds until the deadline, counted from when this was sent. A worker whose clock may be wrong goes by it. */
        remaining_ms: number;
      };
      /** @description The run of the resource. */
      run: number;
      /** @description The place of the step in the pipeline, from 0. */
      step_index: number;
      /** @description What is worked on. */
      resource: {
        /**
         * Format: uuid
         * @description The id of the resource.
         */
        id: string;
        /** @description What people call it. */
        name: string;
        /** @description The type that selected the pipeline. */
        type: string;
        /**
         * @description Whether the source was uploaded or fetched.
         * @enum {string}
         */
        source_type: 'UPLOAD' | 'URL';
        /** @description Of the source, told by its bytes. */
        media_type: string | null;
        /** @description Of the source. */
        size_bytes: number | null;
        /** @description Of the source, in hex. */
        sha256: string | null;
        /** @description The bytes themselves, read with the callback token. */
        source_url: string;
      };
      /** @description Who works on it. */
      plugin: {
        /** @description The id of the plugin. */
        id: string;
        /** @description As it was when the attempt began. */
        config: Record<string, never>;
      };
      /** @description The artifacts of earlier steps, the newest of each type. */
      inputs: {
        /**
         * Format: uuid
         * @description The id of the artifact.
         */
        artifact_id: string;
        /** @description The name its plugin gave it. */
        type: string;
        /**
         * @description What its content is.
         * @enum {string}
         */
        content_type: 'text' | 'json' | 'vector';
        /** @description The content itself, read with the callback token. */
        url: string;
      }[];
      /** @description How the outcome is reported. */
      callback: {
        /** @description Where the report goes to. */
        url: string;
        /** @description The bearer token of this attempt, good for the callback, the source and the inputs. */
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
    /**
     * @example {
     *       "api_key": {
     *         "id": "019a9b1c-0f4e-7b2a-9c3d-8e5f6a7b8c9d",
     *         "name": "admin",
     *         "scopes": [
     *           "admin"
     *         ]
     *       },
     *       "expires_at": "2025-11-20T21:30:00.123Z",
     *       "public_url": "http://127.0.0.1:8080",
     *       "temporal_ui": "http://127.0.0.1:8233/namespaces/default"
     *     }
     */
    Session: {
      /** @description The key that the caller has, or that the session stands for. */
      api_key: {
        /**
         * Format: uuid
         * @description A UUID (version 7).
         * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
         */
        id: string;
        /**
         * @description What it is for.
         * @example admin
         */
        name: string;
        /**
         * @description `read`, `write`, `admin`, `plugin:{id}`.
         * @example [
         *       "admin"
         *     ]
         */
        scopes: string[];
      };
      /**
       * Format: date-time
       * @description When the session ends unless it is used before. Null for who calls with a bearer token.
       * @example 2025-11-20T09:30:00.123Z
       */
      expires_at: string | null;
      /**
       * Format: uri
       * @description The base of every URL that is handed out.
       * @example https://knowledge.example.com
       */
      public_url: string;
      /**
       * Format: uri
       * @description The namespace in the Temporal Web UI; null when it is not known.
       * @example http://127.0.0.1:8233/namespaces/default
       */
      temporal_ui: string | null;
    };
    /**
     * @example {
     *       "at": "2025-11-20T09:45:12.004Z",
     *       "resources": {
     *         "PENDING": 2,
     *         "PROCESSING": 14,
     *         "COMPLETED": 4180,
     *         "FAILED": 23,
     *         "CANCELLED": 1
     *       },
     *       "bucket_seconds": 3600,
     *       "buckets": [
     *         {
     *           "at": "2025-11-20T08:00:00.000Z",
     *           "registered": 310,
     *           "completed": 302,
     *           "failed": 3,
     *           "cancelled": 0
     *         },
     *         {
     *           "at": "2025-11-20T09:00:00.000Z",
     *           "registered": 221,
     *           "completed": 214,
     *           "failed": 1,
     *           "cancelled": 1
     *         }
     *       ],
     *       "plugins": [
     *         {
     *           "plugin_id": "extract-text",
     *           "completed": 516,
     *           "failed": 4,
     *           "attempts": 531,
     *           "median_seconds": 1.8,
     *           "p95_seconds": 9.2
     *         }
     *       ]
     *     }
     */
    Statistics: {
      /**
       * Format: date-time
       * @description When it was counted: it may be some seconds old.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /** @description How many resources are in each status. */
      resources: {
        /** @description Without a pipeline. */
        PENDING: number;
        /** @description With a run at work. */
        PROCESSING: number;
        /** @description Whose newest run made it to the end. */
        COMPLETED: number;
        /** @description Whose newest run failed. */
        FAILED: number;
        /** @description Whose newest run was stopped. */
        CANCELLED: number;
      };
      /**
       * @description How long a bucket is; it follows from the time asked of.
       * @enum {integer}
       */
      bucket_seconds: 300 | 900 | 3600 | 21600 | 86400;
      /** @description Oldest first, without a gap; the last one is not over yet. */
      buckets: {
        /**
         * Format: date-time
         * @description When it begins.
         * @example 2025-11-20T09:30:00.123Z
         */
        at: string;
        /** @description Resources registered; those deleted since are missing. */
        registered: number;
        /** @description Runs that ended so. */
        completed: number;
        /** @description Runs that ended so. */
        failed: number;
        /** @description Runs that ended so. */
        cancelled: number;
      }[];
      /** @description Of plugins whose steps ended within the buckets, the busiest first. */
      plugins: {
        /**
         * @description The plugin.
         * @example extract-text
         */
        plugin_id: string;
        /** @description Steps that completed. */
        completed: number;
        /** @description Steps that failed for good. */
        failed: number;
        /** @description Attempts that these steps took. */
        attempts: number;
        /** @description Of the steps that completed, from the beginning to the end, pauses included. */
        median_seconds: number | null;
        /** @description 95 % of them took no longer. */
        p95_seconds: number | null;
      }[];
    };
    StreamEvent:
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'ready' | 'reset';
          /** @description What changed. */
          data: Record<string, never>;
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'resource.created' | 'resource.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            id: string;
            /**
             * @description What people call it.
             * @example Archive handbook
             */
            name: string;
            /**
             * @description Selects the pipeline with this trigger type.
             * @example document
             */
            type: string;
            /**
             * @description PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.
             * @enum {string}
             */
            status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
            /** @description The number of its newest run; 0: never processed. */
            run: number;
            /** @description Whether it is shown to language models. Processing ignores it. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
            /** @description Why it is FAILED. */
            error: {
              /**
               * @description The plugin's own code, or one of Core's.
               * @example STEP_TIMED_OUT
               */
              code: string;
              /** @description At most 1,000 characters of it. */
              message: string | null;
              /** @description The index of the step that failed; null where none did. */
              step: number | null;
            } | null;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'resource.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            id: string;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'step.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /** @description The run it is a step of. */
            run: number;
            /** @description Its place in the pipeline, from 0. */
            index: number;
            /**
             * @description The plugin that does it.
             * @example extract-text
             */
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
             * @example 2025-11-20T09:30:00.123Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            finished_at: string | null;
            /** @description How far the worker says it is. */
            progress: {
              /** @description Of the whole: 1 is done; null where it cannot be said. */
              fraction: number | null;
              /**
               * @description For people.
               * @example page 8 of 20
               */
              message: string | null;
            } | null;
            /** @description Why the last attempt failed. */
            error: {
              /**
               * @description The plugin's own code, or one of Core's.
               * @example STEP_TIMED_OUT
               */
              code: string;
              /** @description At most 1,000 characters of it. */
              message: string | null;
            } | null;
            /** @description What a step is waiting for; null: it runs, or has ended. */
            waiting_for: {
              /**
               * @description worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free parser; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing.
               * @enum {string}
               */
              kind: 'worker' | 'callback' | 'retry' | 'fetch' | 'room' | 'paused' | 'workflow';
              /**
               * Format: date-time
               * @description When the wait ends at the latest; null: no end is set.
               * @example 2025-11-20T09:30:00.123Z
               */
              until: string | null;
              /** @description Where a worker is waited for. */
              task_queue: string | null;
              /**
               * @description The same for people.
               * @example No worker polls the task queue ocr.
               */
              message: string;
            } | null;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'artifact.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the artifact.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            artifact_id: string;
            /**
             * @description The name the plugin gave it.
             * @example text
             */
            type: string;
            /**
             * @description What its content is.
             * @enum {string}
             */
            content_type: 'text' | 'json' | 'vector';
            /** @description The step that made it. */
            step_index: number;
            /**
             * @description The plugin that made it.
             * @example extract-text
             */
            plugin_id: string;
            /** @description The run that made its content. */
            run: number;
            /** @description Of its content as it is stored. */
            size_bytes: number;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'artifact.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the artifact.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            artifact_id: string;
            /**
             * @description The name the plugin gave it.
             * @example text
             */
            type: string;
            /** @description The step that made it. */
            step_index: number;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'pipeline.created' | 'pipeline.updated' | 'pipeline.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the pipeline.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            pipeline_id: string;
            /** @description What people call it. */
            name: string;
            /** @description The type of the resources it is for. */
            trigger_type: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'plugin.created' | 'plugin.updated' | 'plugin.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /** @description Of the plugin. */
            plugin_id: string;
            /** @description What people call it. */
            name: string;
            /** @description The version it was registered with. */
            version: string;
            /**
             * @description How its steps are run.
             * @enum {string}
             */
            kind: 'activity' | 'http';
            /** @description Whether its steps run. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
          };
        };
    ResourceStreamEvent:
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'ready' | 'reset';
          /** @description What changed. */
          data: Record<string, never>;
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'resource.created' | 'resource.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            id: string;
            /**
             * @description What people call it.
             * @example Archive handbook
             */
            name: string;
            /**
             * @description Selects the pipeline with this trigger type.
             * @example document
             */
            type: string;
            /**
             * @description PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.
             * @enum {string}
             */
            status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
            /** @description The number of its newest run; 0: never processed. */
            run: number;
            /** @description Whether it is shown to language models. Processing ignores it. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
            /** @description Why it is FAILED. */
            error: {
              /**
               * @description The plugin's own code, or one of Core's.
               * @example STEP_TIMED_OUT
               */
              code: string;
              /** @description At most 1,000 characters of it. */
              message: string | null;
              /** @description The index of the step that failed; null where none did. */
              step: number | null;
            } | null;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'resource.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            id: string;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'step.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /** @description The run it is a step of. */
            run: number;
            /** @description Its place in the pipeline, from 0. */
            index: number;
            /**
             * @description The plugin that does it.
             * @example extract-text
             */
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
             * @example 2025-11-20T09:30:00.123Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            finished_at: string | null;
            /** @description How far the worker says it is. */
            progress: {
              /** @description Of the whole: 1 is done; null where it cannot be said. */
              fraction: number | null;
              /**
               * @description For people.
               * @example page 8 of 20
               */
              message: string | null;
            } | null;
            /** @description Why the last attempt failed. */
            error: {
              /**
               * @description The plugin's own code, or one of Core's.
               * @example STEP_TIMED_OUT
               */
              code: string;
              /** @description At most 1,000 characters of it. */
              message: string | null;
            } | null;
            /** @description What a step is waiting for; null: it runs, or has ended. */
            waiting_for: {
              /**
               * @description worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free parser; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing.
               * @enum {string}
               */
              kind: 'worker' | 'callback' | 'retry' | 'fetch' | 'room' | 'paused' | 'workflow';
              /**
               * Format: date-time
               * @description When the wait ends at the latest; null: no end is set.
               * @example 2025-11-20T09:30:00.123Z
               */
              until: string | null;
              /** @description Where a worker is waited for. */
              task_queue: string | null;
              /**
               * @description The same for people.
               * @example No worker polls the task queue ocr.
               */
              message: string;
            } | null;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'artifact.updated';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the artifact.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            artifact_id: string;
            /**
             * @description The name the plugin gave it.
             * @example text
             */
            type: string;
            /**
             * @description What its content is.
             * @enum {string}
             */
            content_type: 'text' | 'json' | 'vector';
            /** @description The step that made it. */
            step_index: number;
            /**
             * @description The plugin that made it.
             * @example extract-text
             */
            plugin_id: string;
            /** @description The run that made its content. */
            run: number;
            /** @description Of its content as it is stored. */
            size_bytes: number;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC, with milliseconds.
             * @example 2025-11-20T09:30:00.123Z
             */
            updated_at: string;
          };
        }
      | {
          /** @description What to pass as Last-Event-ID to go on after it. */
          id: string;
          /**
           * @description What happened.
           * @enum {string}
           */
          event: 'artifact.deleted';
          /** @description What changed. */
          data: {
            /**
             * Format: date-time
             * @description When the change was begun.
             * @example 2025-11-20T09:30:00.123Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Of the resource.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            resource_id: string;
            /**
             * Format: uuid
             * @description Of the artifact.
             * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
             */
            artifact_id: string;
            /**
             * @description The name the plugin gave it.
             * @example text
             */
            type: string;
            /** @description The step that made it. */
            step_index: number;
          };
        };
    ResourceEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      resource_id: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
      /**
       * @description What people call it.
       * @example Archive handbook
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type.
       * @example document
       */
      type: string;
      /**
       * @description PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.
       * @enum {string}
       */
      status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description The number of its newest run; 0: never processed. */
      run: number;
      /** @description Whether it is shown to language models. Processing ignores it. */
      is_enabled: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
      /** @description Why it is FAILED. */
      error: {
        /**
         * @description The plugin's own code, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description At most 1,000 characters of it. */
        message: string | null;
        /** @description The index of the step that failed; null where none did. */
        step: number | null;
      } | null;
    };
    ResourceDeletedEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      resource_id: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      id: string;
    };
    StepEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      resource_id: string;
      /** @description The run it is a step of. */
      run: number;
      /** @description Its place in the pipeline, from 0. */
      index: number;
      /**
       * @description The plugin that does it.
       * @example extract-text
       */
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
       * @example 2025-11-20T09:30:00.123Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      finished_at: string | null;
      /** @description How far the worker says it is. */
      progress: {
        /** @description Of the whole: 1 is done; null where it cannot be said. */
        fraction: number | null;
        /**
         * @description For people.
         * @example page 8 of 20
         */
        message: string | null;
      } | null;
      /** @description Why the last attempt failed. */
      error: {
        /**
         * @description The plugin's own code, or one of Core's.
         * @example STEP_TIMED_OUT
         */
        code: string;
        /** @description At most 1,000 characters of it. */
        message: string | null;
      } | null;
      /** @description What a step is waiting for; null: it runs, or has ended. */
      waiting_for: {
        /**
         * @description worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free parser; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing.
         * @enum {string}
         */
        kind: 'worker' | 'callback' | 'retry' | 'fetch' | 'room' | 'paused' | 'workflow';
        /**
         * Format: date-time
         * @description When the wait ends at the latest; null: no end is set.
         * @example 2025-11-20T09:30:00.123Z
         */
        until: string | null;
        /** @description Where a worker is waited for. */
        task_queue: string | null;
        /**
         * @description The same for people.
         * @example No worker polls the task queue ocr.
         */
        message: string;
      } | null;
    };
    ArtifactEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      resource_id: string;
      /**
       * Format: uuid
       * @description Of the artifact.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      artifact_id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /**
       * @description What its content is.
       * @enum {string}
       */
      content_type: 'text' | 'json' | 'vector';
      /** @description The step that made it. */
      step_index: number;
      /**
       * @description The plugin that made it.
       * @example extract-text
       */
      plugin_id: string;
      /** @description The run that made its content. */
      run: number;
      /** @description Of its content as it is stored. */
      size_bytes: number;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
    };
    ArtifactDeletedEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the resource.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      resource_id: string;
      /**
       * Format: uuid
       * @description Of the artifact.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      artifact_id: string;
      /**
       * @description The name the plugin gave it.
       * @example text
       */
      type: string;
      /** @description The step that made it. */
      step_index: number;
    };
    PipelineEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the pipeline.
       * @example 019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d
       */
      pipeline_id: string;
      /** @description What people call it. */
      name: string;
      /** @description The type of the resources it is for. */
      trigger_type: string;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
    };
    PluginEvent: {
      /**
       * Format: date-time
       * @description When the change was begun.
       * @example 2025-11-20T09:30:00.123Z
       */
      at: string;
      /** @description Of the plugin. */
      plugin_id: string;
      /** @description What people call it. */
      name: string;
      /** @description The version it was registered with. */
      version: string;
      /**
       * @description How its steps are run.
       * @enum {string}
       */
      kind: 'activity' | 'http';
      /** @description Whether its steps run. */
      is_active: boolean;
      /**
       * Format: date-time
       * @description ISO 8601, in UTC, with milliseconds.
       * @example 2025-11-20T09:30:00.123Z
       */
      updated_at: string;
    };
    Error: {
      /** @description What went wrong. */
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
          | 'ARTIFACT_UNREADABLE'
          | 'SOURCE_UNREADABLE'
          | 'SHUTTING_DOWN'
          | 'DATABASE_UNAVAILABLE'
          | 'STORAGE_UNAVAILABLE'
          | 'TEMPORAL_UNAVAILABLE';
        /**
         * @description For people; it may change.
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
     *       "name": "Opening hours",
     *       "type": "webpage",
     *       "source": {
     *         "kind": "URL",
     *         "url": "https://example.com/opening-hours.html"
     *       }
     *     }
     */
    NewResource: {
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Archive handbook
       */
      name: string;
      /**
       * @description Selects the pipeline with this trigger type. 100 characters at most, without control characters; spaces around it are dropped.
       * @example document
       */
      type: string;
      /** @description Where it comes from. */
      source: {
        /**
         * @description What it is.
         * @enum {string}
         */
        kind: 'UPLOAD' | 'URL';
      } & (
        | {
            /** @constant */
            kind?: 'URL';
            /**
             * @description Where the source is: http or https, on the public internet. Fetched once per run.
             * @example https://example.com/opening-hours.html
             */
            url: string;
          }
        | {
            /** @constant */
            kind?: 'UPLOAD';
          }
      );
    };
    /**
     * @example {
     *       "name": "Archive handbook",
     *       "type": "document",
     *       "source": "{\"kind\":\"UPLOAD\"}",
     *       "file": "the bytes of handbook.pdf"
     *     }
     */
    UploadForm: {
      /**
       * @description What people call it. 500 characters at most, without control characters; spaces around it are dropped.
       * @example Archive handbook
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
     *           "timeout_seconds": 600
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
      /** @description What is done, in this order. */
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
     *       "name": "Optical character recognition",
     *       "description": "Reads the text of scans.",
     *       "version": "1.2.0",
     *       "kind": "http",
     *       "endpoint": "https://ocr.example.com/steps",
     *       "config": {
     *         "language": "en"
     *       },
     *       "config_schema": {
     *         "type": "object",
     *         "properties": {
     *           "language": {
     *             "type": "string",
     *             "default": "en"
     *           }
     *         }
     *       },
     *       "produces": [
     *         "text"
     *       ],
     *       "heartbeat_seconds": 60
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
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
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
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
      /**
       * @description Of the worker, for people.
       * @example 1.2.0
       */
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
      /** @description A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; only admin keys see what it marks `writeOnly`, and a plugin’s own key cannot take the mark from a value that is stored. References to other documents are refused. */
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
     *       "api_key": "kw_…"
     *     }
     * @example {
     *       "login_token": "kwl_…"
     *     }
     */
    NewSession: {
      /** @description An API key, kw_…. */
      api_key?: string;
      /** @description What stands behind `#token=` in a log-in link. It is good once, within five minutes. */
      login_token?: string;
    };
    Report: {
      /**
       * @description SUCCESS and FAILURE settle the attempt; PROGRESS says how far it is.
       * @enum {string}
       */
      status: 'SUCCESS' | 'FAILURE' | 'PROGRESS';
    } & (
      | {
          /** @constant */
          status?: 'SUCCESS';
          artifact?: components['schemas']['ReportedArtifact'];
          /** @description Several, of different types, in place of `artifact`. None at all is a success too. */
          artifacts?: components['schemas']['ReportedArtifact'][];
        }
      | {
          /** @constant */
          status?: 'FAILURE';
          /** @description Why it failed. */
          error?: {
            /** @description For programs. */
            code?: string;
            /** @description For people. */
            message?: string;
            /**
             * @description False: the step fails at once, whatever attempts are left.
             * @default true
             */
            retryable?: boolean;
            /** @description The pause before the next attempt, where it is longer than the step’s; an hour at most. */
            retry_after_seconds?: number;
            /** @description What else is known of it; at most 64 KiB as JSON. */
            details?: Record<string, never>;
          };
        }
      | {
          /** @constant */
          status?: 'PROGRESS';
          /** @description How far it is. */
          progress: {
            /** @description Of the whole: 1 is done. */
            fraction?: number;
            /** @description For people. */
            message?: string;
          };
        }
    );
    ReportedArtifact: {
      /**
       * @description What the content is.
       * @enum {string}
       */
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
          /** @description Any JSON object; at most 1 MiB. */
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
  responses: {
    /** @description MALFORMED_BODY: The request did not come in time. */
    RequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {unknown} */
            code?: 'MALFORMED_BODY';
          };
        };
      };
    };
    /** @description MALFORMED_BODY: The URL is too long. */
    URITooLong: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {unknown} */
            code?: 'MALFORMED_BODY';
          };
        };
      };
    };
    /** @description MALFORMED_BODY: No expectation but 100-continue is met. */
    ExpectationFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {unknown} */
            code?: 'MALFORMED_BODY';
          };
        };
      };
    };
    /** @description MALFORMED_BODY: The headers are too many or too long. */
    RequestHeaderFieldsTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {unknown} */
            code?: 'MALFORMED_BODY';
          };
        };
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
