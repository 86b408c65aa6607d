import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Alert, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentOptionsQuery } from '../queries.ts';
import classes from './builder.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { Conflict } from './conflict.tsx';
import { type Builder, BuilderContext, OpenersContext, useBuilder } from './context.ts';
import { Header } from './header.tsx';
import { LeaveGuard } from './leave.tsx';
import { ContextMenu } from './menu/context-menu.tsx';
import { Outline } from './outline.tsx';
import { Palette } from './palette.tsx';
import { useOpenedSession } from './run/use-opened-session.ts';
import { useRun } from './run/use-run.ts';
import { Side } from './side/side.tsx';
import { Submit } from './submit.tsx';
import { type Validation, useValidation } from './use-validation.ts';
import { useEditor } from './use-editor.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useNodeActions } from './use-node-actions.ts';
import { type Autosave, useAutosave } from './use-autosave.ts';
import { type BuilderUi, useBuilderUi } from './use-builder-ui.ts';

const Canvas = lazy(async () => ({ default: (await import('./canvas/canvas.tsx')).Canvas }));
const AddDialog = lazy(async () => ({ default: (await import('./menu/add-dialog.tsx')).AddDialog }));

interface BuilderLayoutProps {
  readonly ui: BuilderUi;
  readonly agent: AgentDetails;
  readonly saving: Autosave;
  readonly validation: Validation;
}

function BuilderLayout({ ui, agent, saving, validation }: BuilderLayoutProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition, problems, choose, edit } = useBuilder();
  const { setView, setTab, setTraced, setMenu, tab } = ui;
  const actions = useNodeActions();
  const run = useRun(agent.id, saving.flush);
  const runs = run.shown?.view.nodes ?? {};
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  useShortcuts(() => void saving.flush());
  useOpenedSession(run, ui);
  const unavailable = new Set(definition.nodes.some(({ kind }) => kind === 'input') ? (['input'] as const) : []);
  const open = (id: string) => {
    // While it is tried, a node tells what it did; else its fields are shown.
    if (tab === 'run' && runs[id] !== undefined) setTraced(id);
    else setTab('node');
    setView('side');
  };
  const openProblem = ({ node, field }: DefinitionProblem) => {
    setTab('node');
    setView('side');
    if (node === null) return choose([]);
    choose([node]);
    ui.openers.viewRequest([node]);
    // Once the form is there, to the first field that is wrong.
    if (field !== null)
      setTimeout(() => {
        document
          .querySelector<HTMLElement>('[data-region=side] :is(input, textarea)[aria-invalid=true]')
          ?.focus({ preventScroll: false });
      }, 50);
  };
  return (
    <div className={classes['frame']}>
      <Header
        agent={agent}
        saved={saving.state}
        onSave={() => void saving.flush()}
        onProblems={() => {
          setTab('problems');
          setView('side');
        }}
        onRun={() => {
          setTab('run');
          setView('side');
        }}
        submit={<Submit agent={agent} errors={errors} flush={saving.flush} />}
      />
      <div className={classes['notices']}>
        {saving.state.is === 'conflict' ? (
          <Conflict
            by={saving.state.by}
            onKeep={saving.keepMine}
            onTake={async () => {
              const draft = await saving.takeTheirs();
              edit(() => ({ definition: draft, select: [] }));
            }}
          />
        ) : null}
        {agent.state === 'archived' ? (
          <Alert variant="light" color="gray" radius={0} icon={<IconLock size={18} aria-hidden />}>
            {t('archived')}
          </Alert>
        ) : null}
      </div>
      <div className={classes['views']}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('views')}
          value={ui.view}
          onChange={(value) => setView(value === 'left' || value === 'side' ? value : 'canvas')}
          data={(['left', 'canvas', 'side'] as const).map((value) => ({ value, label: t(`view_names.${value}`) }))}
        />
      </div>
      <div className={classes['parts']} data-view={ui.view}>
        <div className={classes['left']} data-region="palette">
          <div className={classes['switch']}>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('nodes')}
              value={ui.left}
              onChange={(value) => ui.setLeft(value === 'outline' ? 'outline' : 'add')}
              data={[
                { value: 'add', label: t('add_nodes') },
                { value: 'outline', label: t('outline') },
              ]}
            />
          </div>
          <div className={classes['scroll']}>
            {ui.left === 'add' ? (
              <Palette unavailable={unavailable} onInsert={actions.insert} />
            ) : (
              <Outline runs={runs} onOpen={open} onMenu={setMenu} />
            )}
          </div>
        </div>
        <Suspense fallback={<div data-region="canvas" />}>
          <Canvas runs={runs} viewRequest={ui.viewRequest} onOpen={open} onDrop={actions.drop} onMenu={setMenu} />
        </Suspense>
        <Side ui={ui} run={run} validation={validation} errors={errors} onProblem={openProblem} />
      </div>
      <ContextMenu menu={ui.menu} onClose={() => setMenu(null)} />
      <ConnectDialog from={ui.connecting} onClose={() => ui.setConnecting(null)} />
      <Suspense>
        <AddDialog place={ui.adding} onClose={() => ui.setAdding(null)} />
      </Suspense>
      <LeaveGuard saving={saving} />
    </div>
  );
}

/** The builder of one agent. */
export function AgentBuilder({ agent }: { readonly agent: AgentDetails }) {
  const editing = useEditor(agent.draft);
  const { definition } = editing;
  const saving = useAutosave(agent, definition);
  const validation = useValidation(agent.id, definition);
  const { data: options } = useQuery(agentOptionsQuery);
  const ui = useBuilderUi();
  const [said, setSaid] = useState('');
  // A message that is repeated is announced again: the space makes it differ.
  const announce = useCallback(
    (message: string) => setSaid((before) => (before === message ? `${message}\u00a0` : message)),
    [],
  );
  const { problems } = validation;
  const builder = useMemo<Builder>(
    () => ({ ...editing, agentId: agent.id, options: options ?? null, problems, announce }),
    [editing, agent.id, options, problems, announce],
  );
  return (
    <BuilderContext value={builder}>
      <OpenersContext value={ui.openers}>
        <BuilderLayout ui={ui} agent={agent} saving={saving} validation={validation} />
      </OpenersContext>
      <VisuallyHidden role="status" aria-live="polite">
        {said}
      </VisuallyHidden>
    </BuilderContext>
  );
}
