/**
 * The React binding: a provider, boundaries and hooks.
 *
 * @module restitch/react
 */
export type { Absent, AbsentOf } from './valueWithoutData.js';
export { AsyncBoundary } from './AsyncBoundary.js';
export type { AsyncBoundaryProps } from './AsyncBoundary.js';
export { DataProvider } from './DataProvider.js';
export type { DataProviderProps } from './DataProvider.js';
export { ErrorBoundary } from './ErrorBoundary.js';
export type { ErrorBoundaryProps } from './ErrorBoundary.js';
export type { ErrorViewProps } from './ErrorView.js';
export { useCache } from './useCache.js';
export { useCancelling } from './useCancelling.js';
export { useController } from './useController.js';
export { useDebounce } from './useDebounce.js';
export { useDLE } from './useDLE.js';
export type { DLE, DLEActions, DLEFailed, DLEIdle, DLELoading, DLEReady } from './useDLE.js';
export type { ArgsOrNull } from './useEndpointView.js';
export { useError } from './useError.js';
export type { FailedArgs } from './useError.js';
export { useFetch } from './useFetch.js';
export { useInfinite } from './useInfinite.js';
export { useInfiniteDLE } from './useInfiniteDLE.js';
export type { InfiniteDLE } from './useInfiniteDLE.js';
export { useIsFetching } from './useIsFetching.js';
export { useIsMutating } from './useIsMutating.js';
export { useLive } from './useLive.js';
export { useLoading } from './useLoading.js';
export type { LoadingOptions } from './useLoading.js';
export { useMutation } from './useMutation.js';
export type { Mutation, MutationOptions } from './useMutation.js';
export { usePending } from './usePending.js';
export { useQuery } from './useQuery.js';
export { useSubscription } from './useSubscription.js';
export { useWindow } from './useWindow.js';
export { useSuspense } from './useSuspense.js';
export { useSuspenseAll } from './useSuspenseAll.js';
export type { DataOf, EndpointCall } from './useSuspenseAll.js';
