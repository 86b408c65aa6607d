import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import type { Metrics } from '../metrics.ts';

/** One thing that is looked at before the service takes requests. */
export interface ReadinessCheck {
  readonly name: string;
  /** False for what the service works without, if worse. */
  readonly needed?: boolean;
  /** Null when it is well, else why not, for operators. */
  readonly check: () => Promise<string | null> | string | null;
}

export interface HealthDeps {
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
  /** Bearer token of /metrics; null: only callers on this machine, and no proxy before them. */
  readonly metricsToken: string | null;
  /** False where /metrics has its own port. */
  readonly serveMetrics: boolean;
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (token !== null) {
    const [one, other] = [Buffer.from(given), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
  }
  return loopback.test(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined;
}

/** GET /livez, /readyz, /metrics. Source: decisions section 1, "Health". */
export function healthRoutes(app: FastifyInstance, { checks, metrics, metricsToken, serveMetrics }: HealthDeps): void {
  app.get('/livez', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const found = await Promise.all(
      checks.map(async ({ name, needed = true, check }) => ({ needed, part: { name, reason: await check() } })),
    );
    const unwell = found.filter(({ part }) => part.reason !== null);
    const notReady = unwell.filter(({ needed }) => needed).map(({ part }) => part);
    const degraded = unwell.filter(({ needed }) => !needed).map(({ part }) => part);
    if (notReady.length > 0) reply.status(503);
    return { status: notReady.length > 0 ? 'not ready' : 'ok', not_ready: notReady, degraded };
  });
  if (!serveMetrics) return;
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, metricsToken)) {
      throw new StudioError(
        'unauthenticated',
        metricsToken === null
          ? 'Set metrics.token or metrics.port to read metrics from another machine'
          : 'The metrics token is missing or wrong',
      );
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}
