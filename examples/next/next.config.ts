import type { NextConfig } from 'next';

const nextConfig: NextConfig = {
  // As create-next-app sets them.
  cacheComponents: true,
  partialPrefetching: true,
};

export default nextConfig;
