import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';

/** Who answers. */
type Who =
  | { readonly kind: 'model'; readonly id: string }
  | { readonly kind: 'agent'; readonly slug: string; readonly name: string };

/** What whoever writes chooses from. */
export interface WhoProps {
  readonly models: readonly ChatModelOption[];
  readonly who: Who;
  readonly onModel: (id: string) => void;
  readonly onAgent: (slug: string) => void;
}
