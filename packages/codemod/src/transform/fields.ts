import type { NodePath } from '@babel/traverse';
import type { Class, Node, Statement } from '@babel/types';
import { classifyUse, type Instance, isWritten, propertyName, type Use } from './clients.js';
import { claimName, endOf, type Module, startOf } from './module.js';
import { capital } from './naming.js';
import { because } from './reasons.js';

/** A member of a class that contains an instance, as in `this.http = axios.create()`. */
export interface Field {
  /** The member as source text: `this.http`. */
  readonly member: string;
  readonly owner: NodePath<Class>;
  /** The new member for the endpoints, such as `httpEndpoints`. */
  readonly endpoints: string;
  /** The name of the function that creates the endpoints, such as `createHttpEndpoints`. */
  readonly factory: string;
  /** The parameter of `factory`. */
  readonly parameter: string;
  /** The assignment in the constructor, or the property with its value. */
  readonly set: Node;
  /** The property, if the class declares it. */
  readonly declared: Node | undefined;
}

/** Returns the instances that classes create for their members, with the uses of each instance. */
export function fieldInstances(
  uses: readonly Use[],
  reaches: (path: string, to: Module) => boolean,
): { instance: Instance; uses: Use[] }[] {
  return uses.flatMap((use) => {
    const field = use.kind === 'create' ? fieldOf(use) : undefined;
    if (!field) return [];
    const { module } = use;
    const name = field.member.replace(/^this\.#?/, '');
    const isSetElsewhere = module.neighbors
      .paths(
        new RegExp(
          `(\\.|^[ \\t]*((private|protected|public|readonly|static) +)*)#?${name}\\s*(:[^=;]*)?=[^=>]`,
          'm',
        ),
      )
      .some((path) => path !== module.path && reaches(path, module));
    if (isSetElsewhere && !isPrivate(field)) return [];
    const statement = field.owner.getStatementParent();
    if (!statement || !use.path.isCallExpression()) return [];
    const instance: Instance = {
      kind: 'instance',
      module,
      variable: name,
      call: use.path,
      statement,
      links: [],
      field,
      blocked: because('instance-not-at-module-level'),
    };
    const own = membersOf(module, field);
    return own ? [{ instance, uses: own.map((path) => classifyUse(module, instance, path)) }] : [];
  });
}

function fieldOf({ module, path: call }: Use): Field | undefined {
  let value: NodePath = call;
  while (value.parentPath && /^TS(As|Satisfies|NonNull)/.test(value.parentPath.type))
    value = value.parentPath;
  const { parentPath: parent } = value;
  const isValue = value.key === 'value' || value.key === 'right';
  if (!parent || !isValue) return undefined;
  if (parent.isClassProperty() || parent.isClassPrivateProperty()) {
    const { node } = parent;
    const name = nameOf(node.key);
    const isPlain = !node.static && !('computed' in node && node.computed);
    return name && isPlain ? field(module, parent, name, node, node) : undefined;
  }
  if (!parent.isAssignmentExpression({ operator: '=' })) return undefined;
  const { left } = parent.node;
  const statement = parent.parentPath;
  const method = statement.parentPath?.parentPath;
  const name =
    left.type === 'MemberExpression' && !left.computed ? nameOf(left.property) : undefined;
  if (
    !name ||
    left.type !== 'MemberExpression' ||
    left.object.type !== 'ThisExpression' ||
    !statement.isExpressionStatement() ||
    !method?.isClassMethod({ kind: 'constructor' })
  )
    return undefined;
  const body = method.parentPath.node;
  const declared =
    body.type === 'ClassBody'
      ? body.body.find(
          (one) =>
            (one.type === 'ClassProperty' || one.type === 'ClassPrivateProperty') &&
            nameOf(one.key) === name,
        )
      : undefined;
  // Without a declaration here, the member belongs to another class.
  if (!declared && (module.typescript || name.startsWith('#'))) return undefined;
  if (declared && 'value' in declared && declared.value) return undefined;
  return field(module, method, name, statement.node, declared);
}

// Returns the name of a member, such as `#http` for a private member.
function nameOf(key: Node): string | undefined {
  if (key.type === 'PrivateName') return `#${key.id.name}`;
  return key.type === 'Identifier' ? key.name : undefined;
}

function field(
  module: Module,
  inside: NodePath,
  name: string,
  set: Node,
  declared: Node | undefined,
): Field | undefined {
  const owner = inside.findParent((path) => path.isClass());
  if (!owner?.isClass()) return undefined;
  const word = name.replace('#', '');
  return {
    member: `this.${name}`,
    owner,
    endpoints: name.replace(word, reserve(module, `${word}Endpoints`)),
    parameter: reserve(module, 'client'),
    factory: claimName(module, `create${capital(word)}Endpoints`, []),
    set,
    declared,
  };
}

const reserved = new WeakMap<Module, Map<string, string>>();

// Returns a name that is new in the module. Several classes may use it, each for its own member.
function reserve(module: Module, wanted: string): string {
  const own = reserved.get(module) ?? new Map<string, string>();
  reserved.set(module, own);
  const name = own.get(wanted) ?? claimName(module, wanted, []);
  own.set(wanted, name);
  return name;
}

// Returns the uses of the member in its class. Undefined if code sets the member again.
function membersOf(module: Module, { owner, member, set }: Field): NodePath[] | undefined {
  const found: NodePath[] = [];
  const name = member.replace('this.', '');
  let isSetAgain = false;
  module.program.traverse({
    MemberExpression(path: NodePath) {
      const { node } = path;
      if (node.type !== 'MemberExpression') return;
      const own = node.computed ? propertyName(node) : nameOf(node.property);
      if (own !== name) return;
      const isFirst = startOf(node) >= startOf(set) && endOf(node) <= endOf(set);
      const of = node.object.type === 'ThisExpression' ? ownerOf(path) : undefined;
      // A class without a superclass cannot write the member of the owner.
      const isOther = of !== undefined && of !== owner.node && !of.superClass;
      if (isWritten(path)) isSetAgain ||= !isFirst && !isOther;
      else if (of === owner.node) found.push(path);
    },
  });
  return isSetAgain ? undefined : found;
}

// Returns the class to which `this` refers. Undefined in functions with their own `this`, and in
// static members.
function ownerOf(path: NodePath): Class | undefined {
  for (let at = path.parentPath; at; at = at.parentPath) {
    if (
      at.isClassMethod() ||
      at.isClassPrivateMethod() ||
      at.isClassProperty() ||
      at.isClassPrivateProperty()
    )
      return at.node.static ? undefined : classAround(at);
    if (at.isFunction() && !at.isArrowFunctionExpression()) return undefined;
    if (at.isClass()) return undefined;
  }
  return undefined;
}

function classAround(path: NodePath): Class | undefined {
  const { parent } = path.parentPath ?? {};
  return parent?.type === 'ClassDeclaration' || parent?.type === 'ClassExpression'
    ? parent
    : undefined;
}

// Returns true if no other class can set the member.
const isPrivate = ({ member, declared }: Field): boolean =>
  member.startsWith('this.#') ||
  (declared?.type === 'ClassProperty' && declared.accessibility === 'private');

/** Returns true if a statement runs before any object of the class is created. */
export const isBefore = ({ owner }: Field, statement: Statement | undefined): boolean =>
  !statement || endOf(statement) <= startOf(owner.node);
