/** What is taken over of a file. */
export interface AgentFile {
  readonly name: string;
  readonly description: string;
  readonly definition: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** What a file holds: an agent as it was exported, or its definition alone. Null for anything else. */
export function readAgentFile(text: string, fileName: string): AgentFile | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { name, description, definition } = value as Readonly<Record<string, unknown>>;
  const bare = 'nodes' in value;
  if (!bare && (typeof definition !== 'object' || definition === null)) return null;
  return {
    name: textOf(name).trim() || fileName.replace(/(?:\.agent)?\.json$/i, ''),
    description: textOf(description),
    // The service knows the versions of exported files.
    definition: bare || 'ai_studio_agent' in value ? value : definition,
  };
}
