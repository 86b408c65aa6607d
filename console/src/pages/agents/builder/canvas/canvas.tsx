import '@xyflow/react/dist/base.css';
import { VisuallyHidden } from '@mantine/core';
import type { AgentEdge, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import {
  Background,
  type Connection,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, type MouseEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { addEdge, moveNodes, moveIntoContainer } from '../model/edit.ts';
import { containerAt, absolutePosition, type Point, sizeOf } from '../model/geometry.ts';
import { containersOf, nodeOf, parentOf, edgeRefusal } from '../model/graph.ts';
import { type OpenMenu, focusedElement, pointedAt } from '../menu/pointed.ts';
import { kindIn, takesKind } from '../model/dragged.ts';
import { colorOf } from '../model/kinds.ts';
import type { NodeRun } from '../run/run-state.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import { CanvasTools } from './canvas-tools.tsx';
import classes from './canvas.module.css';
import { nodeTypes } from './cards.tsx';
import type { ViewRequest } from './view-request.ts';
import { useViewRequest } from './use-view-request.ts';
import { type FlowEdge, type FlowNode, createFlowNodes, flowEdges } from './flow.ts';

const edgeOf = ({ source, target, sourceHandle }: Connection | FlowEdge): AgentEdge => ({
  from: source,
  to: target,
  ...(sourceHandle === null || sourceHandle === undefined ? {} : { branch: sourceHandle }),
});

const FIT = { minZoom: 0.45, maxZoom: 1, padding: 0.08 };
const MARGIN = 32;
const MAP = { width: 144, height: 92 };

/** Nothing is dragged. */
const still: ReadonlyMap<string, Point> = new Map();

interface CanvasProps {
  readonly viewRequest: ViewRequest | null;
  readonly runs: Readonly<Record<string, NodeRun>>;
  /** A node was opened: clicked, or chosen by Enter. */
  readonly onOpen: (id: string) => void;
  /** A kind was dropped at a place of the canvas. */
  readonly onDrop: (kind: NodeKind, place: Point) => void;
  readonly onMenu: (menu: OpenMenu) => void;
}

/** Names of nodes and edges for those who do not see them. */
function useLabels() {
  const { t } = useTranslation('agentBuilder');
  const { options, definition } = useBuilder();
  const words = useNodeLabels(options);
  const node = useCallback<Parameters<ReturnType<typeof createFlowNodes>>[0]['label']>(
    (one, errors, run) =>
      [
        `${words.name(one)} (${t(`kinds.${one.kind}`)})`,
        words.summary(one),
        errors > 0 ? t('problem_count', { count: errors }) : '',
        run === null ? '' : t(`run_states.${run.state}`),
      ]
        .filter((text) => text !== '')
        .join(', '),
    [t, words],
  );
  const edge = (one: AgentEdge) => words.edge(definition, one);
  return { node, edge };
}

/** The nodes and edges of the agent, drawn. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow({ runs, viewRequest, onOpen, onDrop, onMenu }: CanvasProps) {
  const { t } = useTranslation('agentBuilder');
  const builder = useBuilder();
  const { definition, chosen, chosenEdges, problems, edit, choose } = builder;
  const labels = useLabels();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  useViewRequest(viewRequest);
  const [places, setPlaces] = useState(still);
  const [over, setOver] = useState(false);
  const flowNodes = useMemo(() => createFlowNodes(), []);
  const nodes = flowNodes({ definition, chosen, problems, runs, places, label: labels.node });
  const edges = flowEdges(definition, chosenEdges, runs, labels.edge);
  const dragging = useRef(false);
  const stand = useRef({ chosen, chosenEdges });
  useLayoutEffect(() => {
    stand.current = { chosen, chosenEdges };
  }, [chosen, chosenEdges]);

  /** Changes of what is chosen come one list after the other; each builds on the last. */
  const pick = (
    kind: 'chosen' | 'chosenEdges',
    changes: readonly { readonly id: string; readonly selected: boolean }[],
  ) => {
    const next = new Set(stand.current[kind]);
    for (const { id, selected } of changes) {
      if (selected) next.add(id);
      else next.delete(id);
    }
    stand.current = { ...stand.current, [kind]: [...next] };
    choose(stand.current.chosen, stand.current.chosenEdges);
  };
  const onNodesChange = (changes: readonly NodeChange<FlowNode>[]) => {
    const picked = changes.filter((change) => change.type === 'select');
    if (picked.length > 0) pick('chosen', picked);
    const steps = new Map(
      changes.flatMap((change) =>
        change.type === 'position' && change.position !== undefined ? [[change.id, change.position] as const] : [],
      ),
    );
    if (steps.size === 0) return;
    if (dragging.current) setPlaces((before) => new Map([...before, ...steps]));
    // By arrow keys.
    else edit(({ definition: now }) => ({ definition: moveNodes(now, steps) }), `move ${[...steps.keys()].join(' ')}`);
  };
  const onEdgesChange = (changes: readonly EdgeChange<FlowEdge>[]) => {
    const picked = changes.filter((change) => change.type === 'select');
    if (picked.length > 0) pick('chosenEdges', picked);
  };
  const onDragStop = (dragged: readonly FlowNode[]) => {
    dragging.current = false;
    setPlaces(still);
    edit(({ definition: now }) => {
      const positions = new Map(dragged.map(({ id, position }) => [id, position]));
      const ids = new Set(positions.keys());
      let next = now;
      const stays = new Map(positions);
      for (const [id, position] of positions) {
        const node = nodeOf(now, id);
        if (node === undefined || containersOf(now, id).some((one) => ids.has(one))) continue;
        const parent = parentOf(now, node);
        const from = parent === null ? { x: 0, y: 0 } : absolutePosition(now, parent);
        const place = { x: from.x + position.x, y: from.y + position.y };
        const { width, height } = sizeOf(now, node);
        const container = containerAt(now, { x: place.x + width / 2, y: place.y + height / 2 }, ids);
        if (container === parent || node.kind === 'input') continue;
        stays.delete(id);
        next = moveIntoContainer(next, id, container, place);
      }
      return { definition: moveNodes(next, stays) };
    });
  };
  /** What does not fit is seen from its beginning. */
  const showBeginning = () => {
    void flow.fitView(FIT).then(() => {
      const { x, y, zoom } = flow.getViewport();
      const left = Math.min(...nodes.filter(({ parentId }) => parentId === undefined).map((one) => one.position.x));
      return left * zoom + x < 0 ? flow.setViewport({ x: MARGIN - left * zoom, y, zoom }) : true;
    });
  };
  const onDropKind = (event: DragEvent) => {
    setOver(false);
    const kind = kindIn(event.dataTransfer);
    if (kind === null) return;
    event.preventDefault();
    onDrop(kind, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  };
  const openMenu = (event: MouseEvent) => {
    // Tools of the canvas have the menu of the canvas.
    const at = { x: event.clientX, y: event.clientY };
    const of = pointedAt(event.target, chosen) ?? { is: 'canvas', point: flow.screenToFlowPosition(at) };
    event.preventDefault();
    if (of.is === 'node') choose([of.id]);
    else if (of.is === 'edge') choose([], [of.key]);
    onMenu({ of, at, origin: focusedElement() });
  };
  return (
    // Kinds are dropped by a pointer; the keyboard has the palette.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={classes['canvas']}
      data-over={over}
      data-region="canvas"
      aria-label={t('canvas')}
      onDragOver={(event) => {
        if (!takesKind(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDropKind}
      onContextMenu={openMenu}
    >
      <VisuallyHidden>{t('canvas_hint')}</VisuallyHidden>
      <ReactFlow<FlowNode, FlowEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeClick={(_event, { id }) => onOpen(id)}
        onConnect={(connection) => edit(({ definition: now }) => ({ definition: addEdge(now, edgeOf(connection)) }))}
        isValidConnection={(connection) => edgeRefusal(definition, edgeOf(connection)) === null}
        onNodeDragStart={() => {
          dragging.current = true;
        }}
        onNodeDragStop={(_event, _node, all) => onDragStop(all)}
        onSelectionDragStart={() => {
          dragging.current = true;
        }}
        onSelectionDragStop={(_event, all) => onDragStop(all)}
        deleteKeyCode={null}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={['Control', 'Meta']}
        elevateNodesOnSelect={false}
        nodeDragThreshold={3}
        connectionRadius={28}
        minZoom={0.15}
        maxZoom={2}
        fitView
        fitViewOptions={FIT}
        onInit={showBeginning}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('a11y.node'),
          'node.a11yDescription.keyboardDisabled': t('a11y.node'),
          'node.a11yDescription.ariaLiveMessage': ({ x, y }) => t('a11y.moved', { x: Math.round(x), y: Math.round(y) }),
          'edge.a11yDescription.default': t('a11y.edge'),
          'minimap.ariaLabel': t('minimap'),
          'handle.ariaLabel': t('a11y.handle'),
        }}
      >
        <Background gap={20} size={1.4} />
        <MiniMap<FlowNode>
          pannable
          zoomable
          position="bottom-right"
          nodeColor={({ data }) => `var(--mantine-color-${colorOf(data.node.kind)}-5)`}
          nodeBorderRadius={8}
          style={MAP}
          bgColor="var(--studio-panel)"
        />
        <Panel position="bottom-left">
          <CanvasTools />
        </Panel>
      </ReactFlow>
    </section>
  );
}
