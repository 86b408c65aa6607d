import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { agentPath } from '../queries.ts';
import { useAgentChanged } from '../use-agent-changed.ts';
import { EditDialog } from './edit-dialog.tsx';
import { SubmitDialog } from './submit-dialog.tsx';

export type AgentAction = 'edit' | 'submit' | 'withdraw' | 'undeploy' | 'archive' | 'unarchive' | 'remove';

const plain = { withdraw: 'withdrawn', undeploy: 'undeployed', archive: 'archived', unarchive: 'unarchived' } as const;
type PlainAction = keyof typeof plain;

interface DialogProps {
  readonly agent: AgentDetails;
  readonly onClose: () => void;
}

function PlainDialog({ act, agent, onClose }: DialogProps & { readonly act: PlainAction }) {
  const { t } = useTranslation('agents');
  const changed = useAgentChanged(agent.id);
  const { done } = useNotify();
  const harmless = act === 'unarchive' || act === 'withdraw';
  return (
    <ConfirmDialog
      opened
      title={t(`acts.${act}`)}
      confirmLabel={t(`acts.${act}`)}
      danger={!harmless}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('POST', `${agentPath(agent.id)}/${act}`, {});
        await changed();
        done(t(`acts.${plain[act]}`));
      }}
    >
      {act === 'unarchive' ? agent.name : t(`acts.${act}_hint`)}
    </ConfirmDialog>
  );
}

function RemoveDialog({ agent, onClose }: DialogProps) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { done } = useNotify();
  return (
    <ConfirmDialog
      opened
      title={t('acts.remove')}
      confirmLabel={common('remove')}
      typed={agent.slug}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('DELETE', agentPath(agent.id));
        await navigate({ to: '/agents' });
        queries.removeQueries({ queryKey: ['agent', agent.id] });
        await queries.invalidateQueries({ queryKey: ['agents'] });
        done(t('acts.removed'));
      }}
    >
      {t('acts.remove_hint', { name: agent.name })}
    </ConfirmDialog>
  );
}

/** The dialog of an action; nothing when it is null. */
export function ActionDialog({ act, ...props }: DialogProps & { readonly act: AgentAction | null }) {
  if (act === null) return null;
  if (act === 'edit') return <EditDialog {...props} />;
  if (act === 'submit') return <SubmitDialog {...props} />;
  if (act === 'remove') return <RemoveDialog {...props} />;
  return <PlainDialog act={act} {...props} />;
}
