import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../http-kit/failures.ts';
import type { Metrics } from '../metrics.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

/** A readiness check. */
export interface ReadinessCheck {
  readonly name: string;
  /** False for what the service works without, if worse. */
  readonly needed?: boolean;
  /** Null where it passes, else the reason, for operators. */
  readonly check: () => Promise<string | null> | string | null;
}

export interface HealthDeps {
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Pick<Metrics, 'contentType' | 'render'>;
  /** Bearer token of /metrics; null: only callers on this machine, and no proxy before them. */
  readonly metricsToken: string | null;
  /** False where /metrics has its own port. */
  readonly serveMetrics: boolean;
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (token !== null) {
    const [one, other] = [Buffer.from(given), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
  }
  return loopback.test(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined;
}

const common = { method: 'GET', root: true, access: 'public', tag: 'Health' } as const;

const metricsRoute = ({ metrics, metricsToken }: HealthDeps): PublicRoute =>
  publicRoute({
    ...common,
    path: '/metrics',
    summary: 'Metrics',
    description:
      'Figures of the service, in the text form of Prometheus: for callers on its machine, or with the token of metrics.',
    media: ['text/plain'],
    errors: ['unauthenticated'],
    async handle({ request, reply }) {
      if (!mayReadMetrics(request, metricsToken)) {
        throw new StudioError(
          'unauthenticated',
          metricsToken === null
            ? 'Set metrics.token or metrics.port to read metrics from another machine'
            : 'The metrics token is missing or wrong',
        );
      }
      return reply.type(metrics.contentType).send(await metrics.render());
    },
  });

/** GET /livez, /readyz, /metrics. Source: decisions section 1, "Health". */
export const healthRoutes = (deps: HealthDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    path: '/livez',
    summary: 'Alive',
    description: 'Answers while the process runs.',
    handle: () => ({ status: 'ok' }),
  }),
  publicRoute({
    ...common,
    path: '/readyz',
    summary: 'Ready',
    description:
      'Answers 503 and names what is not ready. What is degraded is named, too: the service works without it, if worse.',
    errors: ['unavailable'],
    async handle({ reply }) {
      const found = await Promise.all(
        deps.checks.map(async ({ name, needed = true, check }) => ({ needed, part: { name, reason: await check() } })),
      );
      const failing = found.filter(({ part }) => part.reason !== null);
      const notReady = failing.filter(({ needed }) => needed).map(({ part }) => part);
      const degraded = failing.filter(({ needed }) => !needed).map(({ part }) => part);
      if (notReady.length > 0) reply.status(503).header('Retry-After', DEFAULT_RETRY_AFTER_SECONDS);
      return { status: notReady.length > 0 ? 'not ready' : 'ok', not_ready: notReady, degraded };
    },
  }),
  ...(deps.serveMetrics ? [metricsRoute(deps)] : []),
];
