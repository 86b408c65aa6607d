/** What is logged and measured of a request. */
export interface RequestLogEntry {
  readonly requestId: string;
  /** Name of the route, such as `chat`: of few values, fit for a label. */
  readonly route: string;
  /** 499 where the client went away before it was answered. */
  readonly status: number;
  readonly keyId: string | null;
  readonly tenantId: string | null;
  readonly model: string | null;
  readonly stream: boolean;
  /** Of the body as it was announced, or read. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly durationMs: number;
  readonly firstTokenMs: number | null;
  readonly error: unknown;
}
