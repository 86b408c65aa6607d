import { createHash } from 'node:crypto';
import type { Deployed } from '../lifecycle/runnable.ts';
import type { A2aForm } from './form.ts';

// What an agent tells of itself. Sources: A2A 0.3, section 5.5; A2A 1.0, section 4.4.

export interface CardShape {
  /** Address of its A2A. */
  readonly url: string;
  /** With what only holders of a key of its tenant are told: examples, and the greeting. */
  readonly extended: boolean;
}

const TEXT = ['text/plain'];
const KEY_NOTE = 'An API key of the tenant, from its console: Authorization: Bearer KEY';

function skillOf({ agent, definition }: Deployed, extended: boolean): object {
  const input = definition.nodes.find((node) => node.kind === 'input');
  const examples = extended ? (input?.examples ?? []) : [];
  const description =
    extended && input?.greeting ? `${agent.description}\n\n${input.greeting}`.trim() : agent.description;
  return {
    id: agent.slug,
    name: agent.name,
    description: description === '' ? agent.name : description,
    tags: ['agent'],
    ...(examples.length > 0 ? { examples } : {}),
  };
}

/** The card of a deployed agent. The 0.3 form names the 1.0 interface too, so that clients of either find theirs. */
export function renderCard(form: A2aForm, deployed: Deployed, { url, extended }: CardShape): object {
  const { agent, definition, versionNumber } = deployed;
  const files = definition.nodes.some((node) => node.kind === 'input' && node.files);
  const inputs = files ? [...TEXT, 'application/json', 'application/octet-stream'] : [...TEXT, 'application/json'];
  const description = agent.description === '' ? agent.name : agent.description;
  const head = { name: agent.name, description };
  const tail = {
    version: `${versionNumber}.0.0`,
    defaultInputModes: inputs,
    defaultOutputModes: TEXT,
    skills: [skillOf(deployed, extended)],
  };
  const supportedInterfaces = [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ];
  if (form === '1.0')
    return {
      ...head,
      supportedInterfaces,
      ...tail,
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
      securitySchemes: { apiKey: { httpAuthSecurityScheme: { scheme: 'Bearer', description: KEY_NOTE } } },
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    };
  return {
    ...head,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    supportedInterfaces,
    ...tail,
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: KEY_NOTE } },
    security: [{ apiKey: [] }],
    supportsAuthenticatedExtendedCard: true,
  };
}

/** Mark of a card, for conditional requests. */
export const cardTag = (card: object): string =>
  `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22)}"`;
