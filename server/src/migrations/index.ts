import type { Migration } from '../ports/database.ts';
import { identity } from './0001-identity.ts';
import { usage } from './0002-usage.ts';
import { usageSlices } from './0003-usage-slices.ts';
import { modelBindings } from './0004-model-bindings.ts';
import { people } from './0005-people.ts';
import { conversations } from './0006-conversations.ts';
import { modelServers } from './0007-model-servers.ts';
import { documentParses } from './0008-document-parses.ts';
import { retrieval } from './0009-retrieval.ts';
import { consoleDocuments } from './0010-console-documents.ts';
import { privacyVault } from './0011-privacy-vault.ts';
import { evaluations } from './0012-evaluations.ts';
import { agents } from './0013-agents.ts';
import { toolServers } from './0014-tool-servers.ts';
import { agentPush } from './0015-agent-push.ts';
import { evaluationsResumed } from './0016-evaluations-resumed.ts';
import { privacyGuard } from './0017-privacy-guard.ts';
import { agentsListed } from './0018-agents-listed.ts';
import { speechUsage } from './0019-speech-usage.ts';
import { accounts } from './0020-accounts.ts';
import { personalValues } from './0022-personal-values.ts';
import { agentRunsRoom } from './0023-agent-runs-room.ts';
import { documentWarnings } from './0024-document-warnings.ts';
import { responses } from './0025-responses.ts';
import { responsesBackground } from './0026-responses-background.ts';
import { filesAndBatches } from './0027-files-and-batches.ts';
import { engineDrains } from './0029-engine-drains.ts';
import { localEmbedders } from './0030-local-embedders.ts';
import { agentDoors } from './0031-agent-doors.ts';
import { agentModels } from './0033-agent-models.ts';
import { agentParts } from './0034-agent-parts.ts';
import { responseWaits } from './0035-response-waits.ts';
import { conversationVersions } from './0036-conversation-versions.ts';
import { conversationLists } from './0037-conversation-lists.ts';
import { samples } from './0039-samples.ts';
import { documentContents } from './0040-document-contents.ts';
import { messageFallbacks } from './0043-message-fallbacks.ts';
import { prompts } from './0044-prompts.ts';
import { conversationSettings } from './0045-conversation-settings.ts';
import { comparedAnswers } from './0046-compared-answers.ts';
import { aiNotices } from './0047-ai-notices.ts';
import { answerFeedback } from './0048-answer-feedback.ts';
import { conversationShares } from './0049-conversation-shares.ts';
import { openedHosts } from './0050-opened-hosts.ts';
import { editedChunks } from './0052-edited-chunks.ts';
import { shortDocuments } from './0053-short-documents.ts';
import { sharedPrompts } from './0054-shared-prompts.ts';
import { runPriorities } from './0055-run-priorities.ts';
import { extractions } from './0056-extractions.ts';
import { connectors } from './0057-connectors.ts';
import { documentSignatures } from './0061-document-signatures.ts';
import { chunkContexts } from './0062-chunk-contexts.ts';
import { agentChatPlaces } from './0064-agent-chat-places.ts';
import { readers } from './0065-readers.ts';

/** Every migration, in order. Add to the end; a released one is never changed. */
export const migrations: readonly Migration[] = [
  identity,
  usage,
  usageSlices,
  modelBindings,
  people,
  conversations,
  modelServers,
  documentParses,
  retrieval,
  consoleDocuments,
  privacyVault,
  evaluations,
  agents,
  toolServers,
  agentPush,
  evaluationsResumed,
  privacyGuard,
  agentsListed,
  speechUsage,
  accounts,
  personalValues,
  agentRunsRoom,
  documentWarnings,
  responses,
  responsesBackground,
  filesAndBatches,
  engineDrains,
  localEmbedders,
  agentDoors,
  agentModels,
  agentParts,
  responseWaits,
  conversationVersions,
  conversationLists,
  samples,
  documentContents,
  messageFallbacks,
  prompts,
  conversationSettings,
  comparedAnswers,
  aiNotices,
  answerFeedback,
  conversationShares,
  openedHosts,
  editedChunks,
  shortDocuments,
  sharedPrompts,
  runPriorities,
  extractions,
  connectors,
  documentSignatures,
  chunkContexts,
  agentChatPlaces,
  readers,
];
