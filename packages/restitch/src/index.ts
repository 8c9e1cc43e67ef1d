/**
 * The core without a framework: endpoints, schemas, errors and the `Controller` that owns a store.
 *
 * @module restitch
 */
export { Controller } from './controller/Controller.js';
export type { ArgsOfMany, ControllerFetch } from './controller/ControllerFetch.js';
export type { ControllerOptions, ResetOptions } from './controller/ControllerOptions.js';
export { keyOf } from './controller/keyOf.js';
export { pendingOf } from './controller/pending.js';
export type { Pending } from './controller/pending.js';
export { countRequests } from './controller/countRequests.js';
export type { ErrorListener, SuccessListener } from './controller/Failures.js';
export { expireWhere, invalidateWhere } from './controller/invalidateWhere.js';
export type { Filter, Filtered } from './controller/filters.js';
export type {
  Action,
  Dispatch,
  ExpireAllAction,
  ExpireStaleAction,
  FailAction,
  FetchAction,
  HydrateAction,
  InvalidateAction,
  InvalidateAllAction,
  OutdateWhereAction,
  ReceiveAction,
  RequestHandle,
  ResetAction,
  SetAction,
  SetErrorAction,
  SetResponseAction,
  SubscribeAction,
  UnsubscribeAction,
} from './controller/actions.js';
export { coalesced, flushUndoable, serial, undoable } from './controller/queuedEndpoints.js';
export type { CallOf, Undoable, UndoableMark } from './controller/queuedEndpoints.js';
export type { Environment } from './controller/Environment.js';
export type { SweepOptions } from './controller/Sweeper.js';
export type { Manager } from './controller/Manager.js';
export type { FetchStatus, TrackedPromise, View, ViewSnapshot } from './controller/View.js';
export type {
  ArgsOf,
  EmptyOf,
  EndpointInterface,
  ErrorPolicy,
  ReadEndpoint,
  SchemaOf,
  Snapshot,
  ValueOf,
} from './endpoint/EndpointInterface.js';
export { DevToolsManager } from './managers/DevToolsManager.js';
export type {
  DevToolsConnection,
  DevToolsExtension,
  DevToolsManagerOptions,
  DevToolsMessage,
} from './managers/DevToolsManager.js';
export { FocusManager } from './managers/FocusManager.js';
export { logout } from './managers/logout.js';
export { LogoutManager } from './managers/LogoutManager.js';
export type { LogoutManagerOptions } from './managers/LogoutManager.js';
export { PollingManager } from './managers/PollingManager.js';
export { RecoveryManager } from './managers/RecoveryManager.js';
export type { RecoveryManagerOptions } from './managers/RecoveryManager.js';
export { StreamManager } from './managers/StreamManager.js';
export type { StreamManagerOptions } from './managers/StreamManager.js';
export type { StreamConstructor, StreamMessage, StreamSource } from './managers/streamSource.js';
export type { EndpointError, ResponselessError } from './errors/EndpointError.js';
export { ConflictError } from './errors/ConflictError.js';
export { NetworkError } from './errors/NetworkError.js';
export type { NetworkErrorDetails, SerializedNetworkError } from './errors/NetworkError.js';
export { RestitchError } from './errors/RestitchError.js';
export type { RestitchErrorOptions } from './errors/RestitchError.js';
export { SchemaError } from './errors/SchemaError.js';
export type { SchemaErrorCode } from './errors/SchemaError.js';
export { Collection } from './schema/Collection.js';
export type {
  CollectionConstructor,
  CollectionFilter,
  CollectionMerge,
  CollectionOptions,
  CollectionSchema,
  ListArgs,
  MemberOf,
} from './schema/Collection.js';
export type {
  CollectionAction,
  CollectionEdit,
  CollectionEditOptions,
  PageCursor,
} from './schema/CollectionEdit.js';
export { All } from './store/selections/All.js';
export type { AllConstructor } from './store/selections/All.js';
export { indexBy } from './store/selections/indexBy.js';
export type { Indexes } from './schema/Indexes.js';
export { CustomSchema } from './schema/CustomSchema.js';
export type { SchemaPlace } from './schema/CustomSchema.js';
export { EntityMixin } from './schema/EntityMixin.js';
export type { EntityStatics, MixedEntity, MixinOptions } from './schema/EntityMixin.js';
export { Lazy } from './schema/Lazy.js';
export type { LazyKeys } from './schema/Lazy.js';
export { Query } from './schema/Query.js';
export type { AskedWith, BoundSchema } from './schema/BoundSchema.js';
export type { KeysOf, QueryArgs, QueryValue, RecordFields } from './schema/QueryArgs.js';
export { Entity } from './schema/Entity.js';
export { Invalidate } from './schema/Invalidate.js';
export type { InvalidateConstructor } from './schema/Invalidate.js';
export { Union } from './schema/Union.js';
export type { SharedField, UnionChoice, UnionDefinition } from './schema/Union.js';
export { Values } from './schema/Values.js';
export type { ValuesConstructor } from './schema/Values.js';
export type {
  Denormalize,
  DenormalizeNullable,
  EntityClass,
  EntityFields,
  EntityMeta,
  Schema,
} from './schema/Schema.js';
export type {
  ListState,
  RenderedState,
  ResultState,
  RowState,
  StoreState,
} from './store/cells/StoreState.js';
export type { Fields, Listing } from './store/cells/Cell.js';
export { Endpoint } from './endpoint/Endpoint.js';
export { operations } from './endpoint/operations.js';
export type {
  AddOptions,
  AssignOptions,
  ChangeBody,
  CollectionIn,
  CreateBody,
  ListEdits,
  MemberIn,
  MoveOptions,
  RemoveOptions,
  WrongEdit,
} from './endpoint/ListEdits.js';
export type { Operations } from './endpoint/operations.js';
export { RestEndpoint } from './endpoint/RestEndpoint.js';
export { resource } from './endpoint/resource.js';
export type { Content } from './endpoint/content.js';
export type {
  EndpointCallbacks,
  EndpointConstructor,
  EndpointExtras,
  EndpointFunction,
  EndpointMember,
  EndpointMethod,
  EndpointShape,
  EndpointThis,
  ExtendedEndpoint,
} from './endpoint/Endpoint.js';
export type { ListPath } from './endpoint/ListPath.js';
export type { HttpMethod, MethodGuard } from './endpoint/Method.js';
export type {
  PageField,
  PageFields,
  PageOptions,
  PageOptionsBy,
  PageSchema,
  PageSearch,
} from './endpoint/PageOptions.js';
export type { Flat, IsWide, PathParams, PathValue, WideParams } from './endpoint/PathParams.js';
export type {
  BaseOf,
  ClassMembers,
  ExtendedIn,
  ExtendOptionsIn,
  MergedIn,
  OptionsIn,
  Patched,
  Put,
  Resource,
  ResourceEndpoints,
  ResourceMethods,
  ResourceOf,
  ResultIn,
  StandardName,
} from './endpoint/ResourceEndpoints.js';
export type {
  DeleteOptions,
  FormOf,
  FullBody,
  GetListOptions,
  GetOptions,
  OrForm,
  PartialEntity,
  PartialUpdateOptions,
  ResourceCallbacks,
  ResourceShape,
  UpdateOptions,
} from './endpoint/ResourceOptions.js';
export type {
  BodyOf,
  HasNoBody,
  MethodOf,
  NoBody,
  OptionOf,
  RestArgs,
  SideEffectOf,
} from './endpoint/RestArgs.js';
export type {
  EditOf,
  ListArgsOf,
  PageFieldOf,
  PageOf,
  Extended,
  ExtendOptions,
  ExtraMembers,
  RestEndpointConstructor,
  RestEndpointOptions,
  RestMember,
} from './endpoint/RestEndpoint.js';
export type {
  BodyParam,
  ContentGuard,
  ContentValue,
  GivenHeaders,
  LooseOptions,
  Merge,
  MergeShared,
  NextResult,
  PathGuard,
  RestCallbacks,
  RestGenerics,
  RestShape,
  ResultOf,
  SharedOption,
  Validated,
} from './endpoint/RestOptions.js';
export type { RetryOptions } from './endpoint/retry.js';
export { batched } from './endpoint/batched.js';
export type { BatchOptions } from './endpoint/batched.js';
export { conditional } from './endpoint/conditional.js';
export { changesSince } from './endpoint/changesSince.js';
export type { ChangesOptions, ListEndpoint } from './endpoint/changesSince.js';
export { freshFromHeaders } from './endpoint/freshFromHeaders.js';
export { versioned } from './endpoint/versioned.js';
export type { VersionedEndpoint } from './endpoint/versioned.js';
export type { ConditionalEndpoint, ConditionalOptions } from './endpoint/conditional.js';
export { uploadTransport } from './endpoint/uploadTransport.js';
export type { Uploading } from './endpoint/uploadTransport.js';
export { isNetworkError } from './endpoint/isNetworkError.js';
export type { InputOf } from './endpoint/isNetworkError.js';
export { ValidationError } from './endpoint/validate.js';
export type { ValidationIssue, ValidationResult, Validator } from './endpoint/validate.js';
export type { Pagination } from './endpoint/Pagination.js';
export { byCursor } from './pagination/byCursor.js';
export type { Cursor, CursorOptions } from './pagination/byCursor.js';
export { byLink } from './pagination/byLink.js';
export type { LinkOptions } from './pagination/byLink.js';
export { byOffset } from './pagination/byOffset.js';
export type { OffsetOptions } from './pagination/byOffset.js';
export { byPage } from './pagination/byPage.js';
export type { PageNumberOptions } from './pagination/byPage.js';
export type { PositionOptions } from './pagination/byPosition.js';
export type { InfiniteOptions } from './pagination/createPagination.js';
export { infinite } from './pagination/infinite.js';
export type {
  BesideOf,
  InfiniteActions,
  InfiniteList,
  InfiniteMember,
  InfiniteView,
  PagedEndpoint,
} from './pagination/InfiniteList.js';
export type { Picked } from './pagination/pickFromResponse.js';
export type { OpenWindow, SparseList, WindowRange } from './pagination/SparseList.js';
export { windowed } from './pagination/windowed.js';
export type { WindowView } from './pagination/windowed.js';
export { hookifyResource } from './endpoint/hookifyResource.js';
export type { HookInit, HookResource, OtherMembers } from './endpoint/hookifyResource.js';
