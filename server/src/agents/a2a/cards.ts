import { createHash } from 'node:crypto';
import type { AiPresence } from '../../identity/index.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import type { A2aForm } from './form.ts';
import { inputModes, outputModes } from './modes.ts';

// What an agent tells of itself. Sources: A2A 0.3, section 5.5; A2A 1.0, section 4.4.

export interface CardAddresses {
  /** JSON-RPC, in both forms. */
  readonly rpc: string;
  /** HTTP+JSON of 1.0. */
  readonly http: string;
}

export interface CardShape {
  /** Addresses of its doors for programs that find it by this card. */
  readonly url: CardAddresses;
  /** What the tenant says of AI. */
  readonly ai: AiPresence;
  /** With what only holders of a key of its tenant are told: examples, and the greeting. */
  readonly extended: boolean;
}

const KEY_NOTE = 'An API key of the tenant, from its console: Authorization: Bearer KEY';

/** Names the extension of cards by which agents say that their answers are made by an AI, with the notice and the mark of their tenant. */
const GENERATED_URI = 'urn:ai-studio:ext:generated-content:v1';

const generatedContent = ({ mark, notice }: AiPresence) => ({
  uri: GENERATED_URI,
  description: `${mark.en}. ${notice.en}`,
  required: false,
  params: { generated_by_ai: true, mark: { ko: mark.ko, en: mark.en }, notice: { ko: notice.ko, en: notice.en } },
});

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

/**
 * The card of a deployed agent. The 0.3 form can be read by clients of 1.0 too: it has their interfaces, security scheme and capabilities
 * beside its own. Requirements of security are left out of it: the Go SDK reads no card that has both.
 */
export function renderCard(form: A2aForm, deployed: Deployed, { url, extended, ai }: CardShape): object {
  const { agent, definition, versionNumber } = deployed;
  const description = agent.description === '' ? agent.name : agent.description;
  const head = { name: agent.name, description };
  const tail = {
    version: `${versionNumber}.0.0`,
    defaultInputModes: inputModes(definition),
    defaultOutputModes: outputModes(definition),
    skills: [skillOf(deployed, extended)],
  };
  const supportedInterfaces = [
    { url: url.rpc, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: url.http, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: url.rpc, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ];
  const extensions = [generatedContent(ai)];
  const httpAuthSecurityScheme = { scheme: 'Bearer', description: KEY_NOTE };
  if (form === '1.0')
    return {
      ...head,
      supportedInterfaces,
      ...tail,
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions },
      securitySchemes: { apiKey: { httpAuthSecurityScheme } },
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    };
  return {
    ...head,
    protocolVersion: '0.3.0',
    url: url.rpc,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url: url.rpc, transport: 'JSONRPC' }],
    supportedInterfaces,
    ...tail,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      stateTransitionHistory: false,
      extendedAgentCard: true,
      extensions,
    },
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: KEY_NOTE, httpAuthSecurityScheme } },
    security: [{ apiKey: [] }],
    supportsAuthenticatedExtendedCard: true,
  };
}

/** Mark of a card, for conditional requests. */
export const cardTag = (card: object): string =>
  `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22)}"`;
