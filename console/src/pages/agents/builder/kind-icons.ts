import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import {
  type Icon,
  IconArrowsSplit2,
  IconFileText,
  IconLogin2,
  IconMessageCheck,
  IconMessageQuestion,
  IconRepeat,
  IconRobot,
  IconSearch,
  IconShieldLock,
  IconSparkles,
  IconTool,
  IconVersions,
} from '@tabler/icons-react';

export const kindIcons: Readonly<Record<NodeKind, Icon>> = {
  input: IconLogin2,
  ask: IconMessageQuestion,
  answer: IconMessageCheck,
  model: IconSparkles,
  agent: IconRobot,
  tool: IconTool,
  retrieve: IconSearch,
  parse_document: IconFileText,
  mask_pii: IconShieldLock,
  condition: IconArrowsSplit2,
  parallel: IconVersions,
  loop: IconRepeat,
};
