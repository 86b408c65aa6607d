import { explain } from '@ai-studio/contract/explain.ts';
import { z } from 'zod';
import type { Sdk } from './server.ts';

/** Forms of requests, by their methods, in the words of the official package. */
const forms = {
  initialize: 'InitializeRequest',
  ping: 'PingRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
} as const;
const isKnown = (method: string): method is keyof typeof forms => Object.hasOwn(forms, method);

/**
 * What is wrong with the parameters of a request, in a sentence; null where nothing is, or the method is none of ours. The package tells
 * of it as a failure of its own (-32603), which it is not.
 */
export function paramsProblem({ specTypeSchemas }: Sdk, method: string | null, body: unknown): string | null {
  if (method === null || !isKnown(method)) return null;
  const { issues } = specTypeSchemas[forms[method]]['~standard'].validate(body);
  // The package checks by zod as well.
  return issues === undefined ? null : explain(new z.ZodError(issues as z.core.$ZodIssue[]), body).message;
}
