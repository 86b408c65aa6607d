import { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import { openApiDocument } from '../openapi/document.ts';
import { toolsDocument } from '../openapi/tools-document.ts';
import { docsHeaders, docsPage } from '../openapi/page.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

export interface DescriptionDeps {
  /** Of this service. */
  readonly version: string;
  /** Where callers reach it. */
  readonly publicUrl: () => string;
}

const common = { method: 'GET', root: true, access: 'public', tag: 'Description' } as const;

/** These routes and GET /openapi.json and /docs, which describe all of them. Source: decisions section 1, "Self-description". */
export function describedRoutes(
  { version, publicUrl }: DescriptionDeps,
  routes: readonly PublicRoute[],
): readonly PublicRoute[] {
  const all: readonly PublicRoute[] = [
    ...routes,
    publicRoute({
      ...common,
      path: '/openapi.json',
      summary: 'OpenAPI',
      description: 'Describes this interface in the form of OpenAPI 3.1, for programs.',
      reply: { OpenApiDocument },
      handle: () => document(),
    }),
    publicRoute({
      ...common,
      path: '/openapi-tools.json',
      summary: 'OpenAPI of tools',
      description:
        'Describes the few endpoints that models call as tools, for programs that make tools of an OpenAPI document, such as Open WebUI and actions of GPTs. The key is that of all endpoints.',
      reply: { OpenApiDocument },
      handle: () => toolsDocument(version, publicUrl(), routes),
    }),
    publicRoute({
      ...common,
      path: '/docs',
      summary: 'This page',
      description: 'Describes this interface for people.',
      media: ['text/html'],
      handle: ({ reply }) =>
        reply
          .headers(docsHeaders)
          .type('text/html; charset=utf-8')
          .send(docsPage(document(), all, publicUrl())),
    }),
  ];
  let made: OpenApiDocument | null = null;
  // Made when somebody asks: it takes a twentieth of a start.
  const document = () => (made ??= openApiDocument(version, all));
  return all;
}
